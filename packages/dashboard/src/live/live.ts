// The page is told what changed, and asks again for as much of it as it shows. After a connection that was lost it asks
// for everything, since nobody knows what it missed.

import type { LiveChange } from '@gapura/server'
import { useEffect, useState } from 'react'
import { queryClient } from '../api/query-client.ts'
import { client } from '../api/trpc.ts'
import { showChanges, showEverything } from './show-changes.ts'

/** Changes that come together are asked for together. */
const GATHER_MS = 80

/** Whether the page is told of changes now. */
export function useLive(): boolean {
  const [isConnected, setConnected] = useState(false)
  useEffect(() => {
    let waiting: LiveChange[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasConnected = false
    const subscription = client.live.changes.subscribe(undefined, {
      onConnectionStateChange({ state }) {
        setConnected(state === 'pending')
        if (state !== 'pending') return
        if (wasConnected) void showEverything(queryClient)
        wasConnected = true
      },
      onData(changes) {
        waiting = [...waiting, ...changes]
        timer ??= setTimeout(() => {
          timer = undefined
          const gathered = waiting
          waiting = []
          void showChanges(queryClient, gathered)
        }, GATHER_MS)
      },
      onError: () => setConnected(false),
    })
    return () => {
      clearTimeout(timer)
      subscription.unsubscribe()
    }
  }, [])
  return isConnected
}
