import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './print.ts'

/**
 * The nonce for style elements. If a script inserts a style element without this nonce, the page's content security
 * policy blocks the element.
 */
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
setNonce(nonce)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
)
