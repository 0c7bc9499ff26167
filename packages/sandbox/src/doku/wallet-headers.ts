import type { IncomingHttpHeaders } from 'node:http'

// Validates a wallet payment's headers as DOKU's clients do. Source: _commons/validateHeader.js in
// doku-nodejs-library. The Java, Go and Python libraries have the same rules. X-DEVICE-ID is optional, because the
// Node client does not send it. It can't contain symbols (developers.doku.com http-notification-sample-for-snap).

type Fault = { header: string; reason: 'mandatoryField' | 'fieldFormat' }

export function walletHeaderFault(headers: IncomingHttpHeaders): Fault | undefined {
  const address = String(headers['x-ip-address'] ?? '')
  if (address === '') return { header: 'X-IP-ADDRESS', reason: 'mandatoryField' }
  if (address.length < 10 || address.length > 15) return { header: 'X-IP-ADDRESS', reason: 'fieldFormat' }
  const device = String(headers['x-device-id'] ?? '')
  return /^[A-Za-z0-9]{0,64}$/.test(device) ? undefined : { header: 'X-DEVICE-ID', reason: 'fieldFormat' }
}
