// Opens the service's stream of live updates, and reconnects whenever it closes.

import type { LiveChange } from '@gapura/server'
import { client } from '../api/trpc.ts'

export type Listener = {
  onChanges(changes: LiveChange[]): void
  /**
   * Reports whether live updates are currently received. It may be called several times in a row with the
   * same value.
   */
  onConnected(isConnected: boolean): void
}

/**
 * How many milliseconds the client waits before it reconnects, if the service has rejected or ended the stream. A
 * broken connection is reconnected automatically.
 */
const AGAIN_AFTER_MS = 3_000

/** Opens the stream of live updates and returns a function that closes it. */
export function openStream({ onChanges, onConnected }: Listener): () => void {
  let again: ReturnType<typeof setTimeout> | undefined
  let leave = () => {}

  function connect(): void {
    // `isWanted` becomes false when the code unsubscribes. Unsubscribing calls onComplete, which must then not
    // reconnect the stream.
    let isWanted = true
    let isNew = true
    const over = () => {
      if (!isWanted) return
      onConnected(false)
      again = setTimeout(connect, AGAIN_AFTER_MS)
    }
    const subscription = client.live.changes.subscribe(undefined, {
      onConnectionStateChange: ({ state }) => {
        isNew = true
        if (state !== 'pending') onConnected(false)
      },
      // Some time after the connection is established, the service sends a first list of changes, which is usually
      // empty. Before this list, the stream may miss changes. After the list, the stream misses none.
      onData(changes) {
        if (isNew) onConnected(true)
        isNew = false
        onChanges(changes)
      },
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
  // The stream reconnects whenever the network changes, because a browser notices a lost connection only after some
  // time. This includes the change to offline, because a service on the same machine can still be reached.
  for (const change of ['online', 'offline']) window.addEventListener(change, reconnect)
  return () => {
    for (const change of ['online', 'offline']) window.removeEventListener(change, reconnect)
    clearTimeout(again)
    leave()
  }
}
