import { createClient } from '~/api/client'
import { openDoor } from '~/workers/audit/door'
import { Walk } from '~/workers/audit/walk'
import { startDeepAudit } from '~/proof/deep-audit'
import { readTarget, saveDeepAudit } from '~/proof/saved-audit'
const base=process.argv[2]+'/api'; const db=process.argv[3]!; const values=process.argv[4]!=='digests'
const b64=(s:string)=>Buffer.from(s).toString('base64')
const j=async(p:string,t?:string,b?:unknown)=>(await fetch(base+p,{method:b?'POST':'GET',headers:t?{authorization:'Bearer '+t}:{},...(b?{body:JSON.stringify(b)}:{})})).json() as any
let {token}=await j('/login','',{user:b64('immudb'),password:b64('immudb')})
token=(await j('/db/use/'+db,token)).token
const st=await j('/db/state',token)
const target={txId:st.txId,txHash:st.txHash}
const client=createClient({baseURL:base,token:()=>token})
const gone=new AbortController()
const door=openDoor(client,{database:db,signal:gone.signal},()=>target.txId)
let size=0, peak=0
const t=performance.now()
const cpu=process.cpuUsage()
const walk=new Walk(startDeepAudit(readTarget(target),values),{door,database:db,report:(p,s)=>{ if(s) size=Math.max(size,JSON.stringify(s).length); peak=Math.max(peak,process.memoryUsage().heapUsed); if(process.argv[5]) console.log(p.txId,Math.round(p.rate)) },newestPoint:async()=>null,isWanted:()=>true})
try {
const r=await walk.run()
const ms=performance.now()-t
const c=process.cpuUsage(cpu)
console.log(r.isAtEnd, r.audit.counts, JSON.stringify(r.audit.exceptions).slice(0,1500), r.tables?.length, r.tables?.filter(x=>x.kind!=='agrees').slice(0,5))
console.log('tx', st.txId, 'tx/s', Math.round(Number(st.txId)/ms*1000), 'entries', r.audit.chain.entries,'ms',Math.round(ms), 'saved bytes',size,'heap MB',Math.round(peak/1e6),'cpu ms',Math.round((c.user+c.system)/1000))
} catch(e:any){ console.log(e, e.refusal) }
