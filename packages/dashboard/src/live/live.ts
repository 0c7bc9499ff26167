// The page is told what changed, and asks again for as much of it as it shows. After a connection that was lost it asks
// for everything, since nobody knows what it missed.

import type { LiveChange } from '@gapura/server'
import { useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { client } from '../api/trpc.ts'
import { showChanges, showEverything } from './show-changes.ts'

/** Changes that come together are asked for together. */
const GATHER_MS = 80
/** A connection that breaks is made anew by itself; one that was refused, after so long. */
const AGAIN_AFTER_MS = 3_000

/** Whether the page is told of changes now. */
export function useLive(): boolean {
  const [isConnected, setConnected] = useState(false)
  useEffect(() => follow(setConnected), [])
  return isConnected
}

/** Returns what ends it. */
function follow(setConnected: (isConnected: boolean) => void): () => void {
  const waiting: LiveChange[] = []
  let gathering: ReturnType<typeof setTimeout> | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let wasConnected = false

  function gather(changes: LiveChange[]): void {
    waiting.push(...changes)
    gathering ??= setTimeout(() => {
      gathering = undefined
      // What could not be asked for now is asked for with the next change, or when the page is looked at again.
      showChanges(queryClient, waiting.splice(0)).catch(() => {})
    }, GATHER_MS)
  }

  function subscribe() {
    return client.live.changes.subscribe(undefined, {
      onConnectionStateChange({ state }) {
        setConnected(state === 'pending')
        if (state !== 'pending') return
        if (wasConnected) void showEverything(queryClient)
        wasConnected = true
      },
      onData: gather,
      onError: resubscribe,
      onComplete: resubscribe,
    })
  }

  function resubscribe(): void {
    setConnected(false)
    again = setTimeout(() => {
      subscription = subscribe()
    }, AGAIN_AFTER_MS)
  }

  /** A connection that went away with the network is missed only after a while. */
  function resume(): void {
    clearTimeout(again)
    subscription.unsubscribe()
    subscription = subscribe()
  }

  let subscription = subscribe()
  window.addEventListener('online', resume)
  return () => {
    window.removeEventListener('online', resume)
    clearTimeout(gathering)
    clearTimeout(again)
    subscription.unsubscribe()
  }
}
