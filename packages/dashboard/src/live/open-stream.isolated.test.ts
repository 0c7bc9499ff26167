import type { LiveChange } from '@gapura/server'
import { expect, test, vi } from 'vitest'
import { openStream } from './open-stream.ts'

const subscribe = vi.hoisted(() => vi.fn(() => ({ unsubscribe() {} })))
vi.mock('../api/trpc.ts', () => ({ client: { live: { changes: { subscribe } } } }))
vi.stubGlobal('window', new EventTarget())

type Subscriber = {
  onConnectionStateChange(change: { state: 'connecting' | 'pending' }): void
  onData(changes: LiveChange[]): void
}

test('the stream of live updates counts as connected only once it has received a list of changes', () => {
  const log: unknown[] = []
  const close = openStream({
    onChanges: changes => log.push(changes),
    onConnected: isConnected => log.push(isConnected),
  })
  const [, subscriber] = subscribe.mock.lastCall as unknown as [undefined, Subscriber]
  const change: LiveChange = { kind: 'payment', id: 'a', payment_id: null }
  for (let attempt = 0; attempt < 2; attempt++) {
    subscriber.onConnectionStateChange({ state: 'connecting' })
    subscriber.onConnectionStateChange({ state: 'pending' })
    expect(log.splice(0)).toEqual([false])
    subscriber.onData([])
    subscriber.onData([change])
    expect(log.splice(0)).toEqual([true, [], [change]])
  }
  close()
})
