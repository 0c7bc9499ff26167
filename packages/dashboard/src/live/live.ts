// The page is told what changed, and asks again for as much of it as it shows. After a connection that was lost it asks
// for what it may have missed.

import type { LiveChange } from '@gapura/server'
import { createContext, useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { client } from '../api/trpc.ts'
import { catchUp, showChanges, showEverything } from './show-changes.ts'

/** Changes that come together are asked for together. */
const GATHER_MS = 80
/** A connection that breaks is made anew by itself; one that was refused, after so long. */
const AGAIN_AFTER_MS = 3_000
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

export const LiveContext = createContext<Live>({ isConnected: false, lostAt: undefined })

export function useLive(): Live {
  const [isConnected, setConnected] = useState(false)
  const [lostAt, setLostAt] = useState<string>()
  useEffect(() => follow(setConnected), [])
  useEffect(() => {
    setLostAt(undefined)
    if (isConnected) return
    const at = new Date().toISOString()
    const telling = setTimeout(() => setLostAt(at), TELL_AFTER_MS)
    return () => clearTimeout(telling)
  }, [isConnected])
  return { isConnected, lostAt }
}

/** Returns what ends it. */
function follow(setConnected: (isConnected: boolean) => void): () => void {
  const waiting: LiveChange[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let lostAtMs: number | undefined
  let leave = () => {}

  function gather(changes: LiveChange[]): void {
    waiting.push(...changes)
    gathering ??= setTimeout(() => {
      gathering = undefined
      // What could not be asked for now is asked for with the next change, or when the page is looked at again.
      showChanges(queryClient, waiting.splice(0)).catch(() => {})
    }, GATHER_MS)
  }

  function hear(isConnected: boolean): void {
    setConnected(isConnected)
    if (!isConnected) {
      lostAtMs ??= Date.now()
      return
    }
    if (lostAtMs === undefined) return
    const wasShort = Date.now() - lostAtMs < SHORT_MS
    lostAtMs = undefined
    void (wasShort ? catchUp(queryClient) : showEverything(queryClient)).catch(() => {})
  }

  function connect(): void {
    // Whoever leaves a subscription is told that it is complete.
    let isWanted = true
    const over = () => {
      if (!isWanted) return
      hear(false)
      again = setTimeout(connect, AGAIN_AFTER_MS)
    }
    let isFirst = lostAtMs === undefined
    const subscription = client.live.changes.subscribe(undefined, {
      onConnectionStateChange({ state }) {
        // A page that opens has just asked for all that it shows.
        if (state === 'pending' || !isFirst) hear(state === 'pending')
        isFirst = isFirst && state !== 'pending'
      },
      onData: gather,
      onError: over,
      onComplete: over,
    })
    leave = () => {
      isWanted = false
      subscription.unsubscribe()
    }
  }

  function reconnect(): void {
    clearTimeout(again)
    leave()
    hear(false)
    connect()
  }

  connect()
  // A connection that went away with the network is missed only after a while. Without one, too, it is tried again at
  // once: a service on this machine is still there.
  for (const change of ['online', 'offline']) window.addEventListener(change, reconnect)
  return () => {
    for (const change of ['online', 'offline']) window.removeEventListener(change, reconnect)
    clearTimeout(gathering)
    clearTimeout(again)
    leave()
  }
}
