// The error pages that are shown if a page cannot be loaded or rendered.

import { useLocation, useRouter } from '@tanstack/react-router'
import { useContext, useEffect } from 'react'
import { faultOf } from '../api/fault.ts'
import { isScriptLost } from '../api/script-lost.ts'
import { useWords, words } from '../language/language.tsx'
import { LiveContext } from '../live/live.ts'
import { useAccount } from '../session/account.ts'
import { Outside } from '../session/outside.tsx'
import { names, pageAt } from '../shell/navigation.ts'
import { Page } from './page.tsx'
import { Failure } from './states.tsx'

const text = words({
  en: { failed: 'This page could not be loaded', away: 'No connection' },
  id: { failed: 'Halaman ini tidak dapat dimuat', away: 'Tidak ada koneksi' },
})

const AGAIN_AFTER_MS = 5_000
/**
 * The session storage key for the name of the missing script that last caused a reload of the window. The same script
 * causes no second reload, because the window could then reload endlessly.
 */
const LOADED_AGAIN = 'gapura-loaded-again'

/**
 * The error page inside the shell (the frame with the navigation). The navigation stays visible, so the user
 * can open other pages.
 */
export function FailedPage({ error }: { error: unknown }) {
  const t = useWords(text)
  const n = useWords(names)
  const router = useRouter()
  const account = useAccount()
  const { pathname } = useLocation()
  const { isConnected } = useContext(LiveContext)
  const lost = isScriptLost(error) ? error.message : undefined
  useEffect(() => {
    if (lost && isConnected && sessionStorage.getItem(LOADED_AGAIN) !== lost) void loadAgain(lost)
  }, [lost, isConnected])
  // If a script cannot be loaded because the server no longer has it, only reloading the document helps. The
  // new document contains the new name of the script.
  const retry = lost && isConnected ? () => window.location.reload() : () => void router.invalidate()
  const name = pageAt(account, pathname)
  return (
    <Page title={name ? n[name] : t.failed}>
      <Failure error={error} retry={retry} />
    </Page>
  )
}

/**
 * Reloads the document only if the service responds. If the service does not respond, this error page stays, because it
 * is more useful than the browser's network error.
 */
async function loadAgain(lost: string): Promise<void> {
  const answer = await fetch(window.location.href).catch(() => undefined)
  if (!answer?.ok) return
  sessionStorage.setItem(LOADED_AGAIN, lost)
  window.location.reload()
}

/**
 * The error page without navigation. It is shown for errors that occur while the shell (the frame with the
 * navigation) is loading.
 */
export function FailedOutside({ error }: { error: unknown }) {
  const t = useWords(text)
  const router = useRouter()
  const { code, isPassing } = faultOf(error)
  const retry = isScriptLost(error) ? () => window.location.reload() : () => void router.invalidate()
  useEffect(() => {
    if (!isPassing || isScriptLost(error)) return
    const again = setTimeout(() => void router.invalidate(), AGAIN_AFTER_MS)
    return () => clearTimeout(again)
  }, [router, error, isPassing])
  return (
    <Outside title={code === '' && isPassing ? t.away : t.failed}>
      <Failure error={error} retry={retry} />
    </Outside>
  )
}
