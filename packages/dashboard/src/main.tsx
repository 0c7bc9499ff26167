import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './print.ts'

/**
 * The nonce for style elements. The page's content security policy blocks a style element if a script inserts it
 * without this nonce.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
)
