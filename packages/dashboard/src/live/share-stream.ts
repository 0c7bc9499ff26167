// Shares one stream of live updates among all browser windows. One stream per window would be too many: over HTTP/1.1,
// a browser opens at most six connections to a host. The window that holds a lock opens the stream and broadcasts the
// updates. When this window closes, the browser grants the lock to another window.

import type { LiveChange } from '@gapura/server'
import { type Listener, openStream } from './open-stream.ts'

const NAME = 'gapura-live'

type Message =
  | { kind: 'changes'; changes: LiveChange[] }
  | { kind: 'connected'; isConnected: boolean }
  /** The message that a window sends when it starts listening, to ask whether the stream is connected. */
  | { kind: 'question' }

/** Starts listening for live updates. Returns a function that stops listening. */
export function shareStream(listener: Listener): () => void {
  // With a browser lock, only one window opens the stream and shares it with the others. Browsers offer locks only to
  // pages served over https or from localhost. On all other pages, each window opens its own stream.
  if (!navigator.locks) return openStream(listener)
  const others = new BroadcastChannel(NAME)
  const leaving = new AbortController()
  /**
   * Whether this window's stream is connected. Undefined while another window shares its stream with this
   * one.
   */
  let isConnected: boolean | undefined

  const send = (message: Message) => others.postMessage(message)
  function lead(): Promise<void> {
    const close = openStream({
      onChanges(changes) {
        send({ kind: 'changes', changes })
        listener.onChanges(changes)
      },
      onConnected(now) {
        isConnected = now
        send({ kind: 'connected', isConnected })
        listener.onConnected(isConnected)
      },
    })
    return new Promise(release => {
      leaving.signal.addEventListener('abort', () => {
        close()
        // When the window with the shared stream closes, other windows miss changes until one of them opens a new
        // stream. The message `connected` makes the other windows fetch the missed changes later.
        send({ kind: 'connected', isConnected: false })
        others.close()
        release()
      })
    })
  }

  others.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'changes') listener.onChanges(data.changes)
    else if (data.kind === 'connected') listener.onConnected(data.isConnected)
    else if (isConnected !== undefined) send({ kind: 'connected', isConnected })
  }
  send({ kind: 'question' })
  // The browser window that holds the lock opens the stream. If a window stops listening while it waits for the lock,
  // its lock request is rejected, and it closes its channel to the other windows.
  navigator.locks.request(NAME, { signal: leaving.signal }, lead).catch(() => others.close())
  return () => leaving.abort()
}
