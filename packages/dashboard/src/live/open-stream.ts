// The stream of changes that the service keeps open. It is made anew by itself whenever it ends.

import type { LiveChange } from '@gapura/server'
import { client } from '../api/trpc.ts'

export type Listener = {
  onChanges(changes: LiveChange[]): void
  /** Whether changes are told of now. Said again each time it may have become different. */
  onConnected(isConnected: boolean): void
}

/** A connection that breaks is made anew by itself; one that was refused, after so long. */
const AGAIN_AFTER_MS = 3_000

/** Returns what ends it. */
export function openStream({ onChanges, onConnected }: Listener): () => void {
  let again: ReturnType<typeof setTimeout> | undefined
  let leave = () => {}

  function connect(): void {
    // Whoever leaves a subscription is told that it is complete.
    let isWanted = true
    const over = () => {
      if (!isWanted) return
      onConnected(false)
      again = setTimeout(connect, AGAIN_AFTER_MS)
    }
    const subscription = client.live.changes.subscribe(undefined, {
      onConnectionStateChange: ({ state }) => onConnected(state === 'pending'),
      onData: onChanges,
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
    onConnected(false)
    connect()
  }

  connect()
  // A connection that went away with the network is missed only after a while. Without one, too, it is tried again at
  // once: a service on this machine is still there.
  for (const change of ['online', 'offline']) window.addEventListener(change, reconnect)
  return () => {
    for (const change of ['online', 'offline']) window.removeEventListener(change, reconnect)
    clearTimeout(again)
    leave()
  }
}
