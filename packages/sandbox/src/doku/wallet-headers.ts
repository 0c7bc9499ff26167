import type { IncomingHttpHeaders } from 'node:http'

// Headers of a wallet payment, as DOKU's own clients check them before they send anything: doku-nodejs-library
// _commons/validateHeader.js ("X-IP-ADDRESS must be in 10 to 15 characters"), likewise its Java, Go and Python libraries.
// X-DEVICE-ID is not demanded: the Node client checks it and then leaves it out of the request.

type Fault = { header: string; reason: 'mandatoryField' | 'fieldFormat' }

export function walletHeaderFault(headers: IncomingHttpHeaders): Fault | undefined {
  const address = String(headers['x-ip-address'] ?? '')
  if (address === '') return { header: 'X-IP-ADDRESS', reason: 'mandatoryField' }
  if (address.length < 10 || address.length > 15) return { header: 'X-IP-ADDRESS', reason: 'fieldFormat' }
  const device = String(headers['x-device-id'] ?? '')
  return device.length > 64 ? { header: 'X-DEVICE-ID', reason: 'fieldFormat' } : undefined
}
