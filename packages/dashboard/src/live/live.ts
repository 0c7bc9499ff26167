// The page is told what changed, and asks again for as much of it as it shows. After a time without being told it asks for
// what it may have missed.

import type { LiveChange } from '@gapura/server'
import { createContext, useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { shareStream } from './share-stream.ts'
import { catchUp, showChanges, showEverything } from './show-changes.ts'

/** Changes that come together are asked for together. */
const GATHER_MS = 80
/** The service ends each connection after minutes, and the next is there at once: little was missed. */
const SHORT_MS = 10_000
/** A stream that ends is made anew after three seconds: shorter than this nobody needs to know of it. */
const TELL_AFTER_MS = 5_000

export type Live = {
  /** The page is told of changes now. */
  isConnected: boolean
  /** ISO 8601: since when it is not, where people should know. */
  lostAt: string | undefined
}

const connecting: Live = { isConnected: false, lostAt: undefined }

export const LiveContext = createContext<Live>(connecting)

export function useLive(): Live {
  const [live, setLive] = useState(connecting)
  useEffect(() => follow(setLive), [])
  return live
}

/** Returns what ends it. */
function follow(show: (live: Live) => void): () => void {
  const waiting: LiveChange[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let telling: ReturnType<typeof setTimeout> | undefined
  /** Since when this page is not told of changes. */
  let lostAtMs: number | undefined = Date.now()
  let isNew = true
  let leave = () => {}

  function onChanges(changes: LiveChange[]): void {
    waiting.push(...changes)
    gathering ??= setTimeout(() => {
      gathering = undefined
      // What could not be asked for now is asked for with the next change, or when the page is looked at again.
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
    // A page that opens has just asked for all that it shows.
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

  /** A page that nobody sees is not told of anything, and costs the service nothing. */
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
