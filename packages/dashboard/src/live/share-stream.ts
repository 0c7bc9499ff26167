// One stream for all windows of this browser. Over HTTP/1.1 a browser opens six connections to a service at the most: six
// windows with a stream each would leave none for anything else.
//
// The window that holds the lock has the stream, and passes on what it hears. When it closes, crashes or lets go, the
// browser gives the lock to another window, which opens a stream of its own.

import type { LiveChange } from '@gapura/server'
import { type Listener, openStream } from './open-stream.ts'

const NAME = 'gapura-live'

type Message =
  | { kind: 'changes'; changes: LiveChange[] }
  | { kind: 'connected'; isConnected: boolean }
  /** From a window that has just joined. */
  | { kind: 'question' }

/** Returns what ends it. */
export function shareStream(listener: Listener): () => void {
  // Browsers have locks on pages from https and from this machine only. Elsewhere each window has its own stream.
  if (!navigator.locks) return openStream(listener)
  const others = new BroadcastChannel(NAME)
  const leaving = new AbortController()
  /** Of the stream of this window; undefined while another window has it. */
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
        // The others catch up once one of them has a stream.
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
  // Who leaves while waiting for the lock is told by a rejection.
  navigator.locks.request(NAME, { signal: leaving.signal }, lead).catch(() => others.close())
  return () => leaving.abort()
}
