// Keeps pages up to date. The service reports what changed, and the page refetches what it shows of it. After an
// interruption, the page refetches what it may have missed.

import type { LiveChange } from '@gapura/server'
import { createContext, useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { shareStream } from './share-stream.ts'
import { catchUp, showChanges, showEverything } from './show-changes.ts'

/** Changes within this time are fetched together. */
const GATHER_MS = 80
/**
 * The service closes each connection after some minutes, and a new one opens at once. After a gap shorter than this,
 * little was missed.
 */
const SHORT_MS = 10_000
/** A stream that closed reconnects after three seconds. A shorter interruption is not shown to the user. */
const TELL_AFTER_MS = 5_000

export type Live = {
  /** Live changes are being received. */
  isConnected: boolean
  /** ISO 8601 time of the disconnect; set once the user should know about it. */
  lostAt: string | undefined
}

const connecting: Live = { isConnected: false, lostAt: undefined }

export const LiveContext = createContext<Live>(connecting)

export function useLive(): Live {
  const [live, setLive] = useState(connecting)
  useEffect(() => follow(setLive), [])
  return live
}

/** Returns a function that stops following changes. */
function follow(show: (live: Live) => void): () => void {
  const waiting: LiveChange[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let telling: ReturnType<typeof setTimeout> | undefined
  /** The time since which this page has received no changes. */
  let lostAtMs: number | undefined = Date.now()
  let isNew = true
  let leave = () => {}

  function onChanges(changes: LiveChange[]): void {
    waiting.push(...changes)
    gathering ??= setTimeout(() => {
      gathering = undefined
      // What failed is refetched with the next change or when the page becomes visible again.
      showChanges(queryClient, waiting.splice(0)).catch(() => {})
    }, GATHER_MS)
  }

  function onConnected(isConnected: boolean): void {
    if (!isConnected) {
      lose()
      return
    }
    clearTimeout(telling)
    telling = undefined
    show({ isConnected, lostAt: undefined })
    if (lostAtMs === undefined) return
    const wasShort = Date.now() - lostAtMs < SHORT_MS
    lostAtMs = undefined
    // A page that was just opened has already fetched everything it shows.
    const isUpToDate = isNew && wasShort
    isNew = false
    if (!isUpToDate) void (wasShort ? catchUp(queryClient) : showEverything(queryClient)).catch(() => {})
  }

  function lose(): void {
    if (telling) return
    const atMs = lostAtMs ?? Date.now()
    lostAtMs = atMs
    show(connecting)
    telling = setTimeout(
      () => show({ isConnected: false, lostAt: new Date(atMs).toISOString() }),
      TELL_AFTER_MS,
    )
  }

  /** A hidden page receives no changes, so that it puts no load on the service. */
  function look(): void {
    leave()
    lose()
    if (!document.hidden) {
      leave = shareStream({ onChanges, onConnected })
      return
    }
    leave = () => {}
    clearTimeout(telling)
    telling = undefined
  }

  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    leave()
    clearTimeout(gathering)
    clearTimeout(telling)
  }
}
