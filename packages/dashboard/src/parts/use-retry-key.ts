import { useRef } from 'react'

/**
 * Returns a function that generates the options for a call that creates something. If the user sends the same input
 * again, for example after a lost response, the call has the same idempotency key. Nothing is then created twice. A
 * different input gets a different key.
 */
export function useRetryKey(): (input: object) => { context: { idempotencyKey: string } } {
  const last = useRef<{ input: string; key: string }>(undefined)
  return given => {
    const input = JSON.stringify(given)
    if (last.current?.input !== input) last.current = { input, key: crypto.randomUUID() }
    return { context: { idempotencyKey: last.current.key } }
  }
}
