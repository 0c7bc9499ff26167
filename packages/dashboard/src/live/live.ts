// Keeps the dashboard's pages up to date. When the service reports a change, the page refetches the data that has
// changed. After an interruption of live updates, the page refetches everything that may have changed.

import type { LiveChange } from '@gapura/server'
import { createContext, useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { shareStream } from './share-stream.ts'
import { catchUp, showChanges, showEverything } from './show-changes.ts'

/** The page collects live updates for this many milliseconds, then fetches all changed data together. */
const GATHER_MS = 80
/**
 * An interruption of live updates counts as short if it lasts less than this many milliseconds. Short
 * interruptions are normal, because the service closes each connection after some minutes and the page
 * reconnects at once.
 */
const SHORT_MS = 10_000
/**
 * If an interruption lasts longer than this many milliseconds, the page shows that the connection is lost.
 * The limit is above three seconds, which is the time after which a closed stream reconnects.
 */
const TELL_AFTER_MS = 5_000

export type Live = {
  /** True while the page receives live updates. */
  isConnected: boolean
  /**
   * The time, in ISO 8601, at which live updates stopped. It is set only if the interruption is long enough to be
   * shown to the user.
   */
  lostAt: string | undefined
}

const connecting: Live = { isConnected: false, lostAt: undefined }

export const LiveContext = createContext<Live>(connecting)

export function useLive(): Live {
  const [live, setLive] = useState(connecting)
  useEffect(() => follow(setLive), [])
  return live
}

/** Starts receiving live updates. Returns a function that stops receiving them. */
function follow(show: (live: Live) => void): () => void {
  const waiting: LiveChange[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let telling: ReturnType<typeof setTimeout> | undefined
  /**
   * The time at which this page lost its connection to the live updates. It is undefined while the page is
   * connected.
   */
  let lostAtMs: number | undefined = Date.now()
  let leave = () => {}

  function onChanges(changes: LiveChange[]): void {
    waiting.push(...changes)
    gathering ??= setTimeout(() => {
      gathering = undefined
      // If the refetch fails, the error is ignored. The data is refetched with the next change, or when the page
      // becomes visible again.
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
    const lostForMs = Date.now() - lostAtMs
    lostAtMs = undefined
    // A newly opened page also refetches its data, because the stream does not report changes made between the first
    // fetch and the start of the stream.
    const isShort = lostForMs < SHORT_MS
    void (isShort ? catchUp(queryClient, lostForMs) : showEverything(queryClient)).catch(() => {})
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

  /**
   * Connects to the live updates when the page becomes visible, and disconnects when the page is hidden. A hidden page
   * therefore puts no load on the service.
   */
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
