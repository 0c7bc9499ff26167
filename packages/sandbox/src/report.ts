import type { Order } from './order.ts'
import type { Provider, Sandbox } from './provider.ts'

export function providerOf(sandbox: Pick<Sandbox, 'providers'>, order: Order): Provider {
  const provider = sandbox.providers.find(candidate => candidate.code === order.provider)
  if (!provider) throw new Error(`no provider ${order.provider} for order ${order.id}`)
  return provider
}

/** Tells the merchant what the order now is; nobody waits for the answer. */
export function sendReport(sandbox: Pick<Sandbox, 'notifier' | 'providers'>, order: Order): void {
  if (order.notificationUrls.length === 0) return
  void sandbox.notifier.send(order, providerOf(sandbox, order).notification(order))
}
