import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testLanguage } from './language-tests'
import { asAnswered } from './rest'
import { run } from './run-code'

/** Runs the class of each package and keeps what it prints, in one process. */
const runner = `
import java.io.*;

public class Runner {
  public static void main(String[] args) throws Exception {
    for (int at = 0; at < Integer.parseInt(args[0]); at++) {
      try (PrintStream out = new PrintStream(new FileOutputStream(at + ".out"), true, "UTF-8")) {
        System.setOut(out);
        Class.forName("s" + at + ".Immudb").getMethod("main", String[].class).invoke(null, (Object) args);
      }
    }
  }
}
`

testLanguage({
  language: 'java',
  run: async (codes, at) => {
    writeFileSync(join(at, 'Runner.java'), runner)
    const files = codes.map((code, number) => {
      mkdirSync(join(at, `s${number}`))
      const file = join(`s${number}`, 'Immudb.java')
      writeFileSync(join(at, file), `package s${number};\n${code}`)
      return file
    })
    await run('javac', ['Runner.java', ...files], { cwd: at })
    await run('java', ['-XX:TieredStopAtLevel=1', 'Runner', String(codes.length)], { cwd: at })
    return codes.map((_, number) => readFileSync(join(at, `${number}.out`)))
  },
  ...asAnswered,
})
