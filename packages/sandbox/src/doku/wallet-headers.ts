import type { IncomingHttpHeaders } from 'node:http'

// Validates the headers of a wallet payment as DOKU's clients do. The rules are in doku-nodejs-library
// _commons/validateHeader.js ("X-IP-ADDRESS must be in 10 to 15 characters"), and also in DOKU's Java, Go and
// Python libraries. X-DEVICE-ID is not required, because the Node client validates it but does not send it.

type Fault = { header: string; reason: 'mandatoryField' | 'fieldFormat' }

export function walletHeaderFault(headers: IncomingHttpHeaders): Fault | undefined {
  const address = String(headers['x-ip-address'] ?? '')
  if (address === '') return { header: 'X-IP-ADDRESS', reason: 'mandatoryField' }
  if (address.length < 10 || address.length > 15) return { header: 'X-IP-ADDRESS', reason: 'fieldFormat' }
  const device = String(headers['x-device-id'] ?? '')
  return device.length > 64 ? { header: 'X-DEVICE-ID', reason: 'fieldFormat' } : undefined
}
