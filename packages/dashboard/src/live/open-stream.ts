// Opens the service's stream of changes and reconnects whenever it closes.

import type { LiveChange } from '@gapura/server'
import { client } from '../api/trpc.ts'

export type Listener = {
  onChanges(changes: LiveChange[]): void
  /** Reports whether changes are being received. May report the same value repeatedly. */
  onConnected(isConnected: boolean): void
}

/**
 * The client reconnects a broken connection itself. After a rejected connection, this is the delay before the next
 * try.
 */
const AGAIN_AFTER_MS = 3_000

/** Returns a function that closes the stream. */
export function openStream({ onChanges, onConnected }: Listener): () => void {
  let again: ReturnType<typeof setTimeout> | undefined
  let leave = () => {}

  function connect(): void {
    // Unsubscribing also calls onComplete, and must not cause a reconnect.
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
  // A connection lost with the network would be noticed only after a while, so a change of the network reconnects at
  // once. This includes going offline: a service on this machine is still reachable.
  for (const change of ['online', 'offline']) window.addEventListener(change, reconnect)
  return () => {
    for (const change of ['online', 'offline']) window.removeEventListener(change, reconnect)
    clearTimeout(again)
    leave()
  }
}
