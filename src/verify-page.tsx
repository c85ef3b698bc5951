import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { protectSinks } from '~/app/policy'
import { VerifyPage } from '~/app/VerifyPage'

protectSinks()
const page = document.getElementById('root')
if (page) {
  createRoot(page).render(
    <StrictMode>
      <VerifyPage />
    </StrictMode>,
  )
}
