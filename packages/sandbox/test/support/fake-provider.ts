import Router from '@koa/router'
import { calm } from '../../src/chaos.ts'
import { openNotifier } from '../../src/notify.ts'
import type { NewOrder, Order } from '../../src/order.ts'
import type { Provider, Sandbox } from '../../src/provider.ts'
import { makeNotification } from '../../src/report.ts'
import { defaultSettings } from '../../src/settings.ts'
import { openStore } from '../../src/store.ts'

/**
 * Returns a minimal provider protocol whose notifications contain only a reference, a status and an amount. Each
 * test replaces the functions it tests.
 */
export function fakeProvider(over: Partial<Provider> = {}): Provider {
  return {
    code: 'fake',
    name: 'Fake',
    routes: () => new Router(),
    register: (_sandbox, { key = '' }) => (key ? { id: key, issued: {} } : { refused: 'key: is missing' }),
    notification: (_sandbox, order, url, tampering) => ({
      url,
      headers: {},
      body: JSON.stringify({
        reference: order.reference,
        status: order.status,
        cents: order.recordedCents,
        signed: !tampering.badSignature,
      }),
      says: order.status,
    }),
    retriesAfter: status => (status === 200 ? 0 : 3),
    retryPausesMs: [1, 1, 1],
    guide: () => ({ lines: [] }),
    ...over,
  }
}

/**
 * Opens the sandbox without its server and timers, so that the test itself decides when due notifications are
 * sent.
 */
export function openFakeSandbox(provider: Provider, dataFile?: string): Sandbox {
  const store = openStore(dataFile)
  const sandbox: Sandbox = {
    settings: defaultSettings,
    publicUrl: 'http://sandbox.example',
    store,
    chaos: calm,
    merchants: store.merchants,
    keyPairOf: store.keyPairOf,
    notifier: openNotifier(store, {
      senders: [provider],
      make: (...asked) => makeNotification(sandbox, ...asked),
      retryScale: 1,
    }),
    providers: [provider],
  }
  return sandbox
}

export async function closeFakeSandbox({ notifier, store }: Sandbox): Promise<void> {
  await notifier.close()
  store.close()
}

let made = 0

export function addOrder(
  { store }: Sandbox,
  notificationUrls: string[],
  over: Partial<NewOrder> = {},
): Order {
  made += 1
  return store.insertOrder({
    provider: 'fake',
    id: `fake-${made}`,
    merchant: 'merchant',
    reference: `REF-${made}`,
    method: 'va',
    number: '',
    customer: '',
    askedCents: 100_000,
    recordedCents: 100_000,
    status: 'pending',
    createdAt: Date.now(),
    expiresAt: null,
    settledAt: null,
    notificationUrls,
    detail: {},
    ...over,
  })
}
