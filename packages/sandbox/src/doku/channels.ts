import { randomInt } from 'node:crypto'

// The payment channels in DOKU's own API, with their API paths. The sources are developers.doku.com and
// jokul-php-library, and published integrations for Indomaret's path. Alfa has two paths, because the path in DOKU's
// documentation is reportedly wrong.

export type Channel = {
  // The DOKU product that the channel belongs to. The channel's path in DOKU's API starts with the product.
  product: string
  kind: 'va' | 'store'
  // The channel's name on the sandbox's web page.
  label: string
  acquirer: string
  channel: string
  prefix: string
  // The amount limits in rupiah. Absent if no published limits were found.
  limits?: { min: number; max: number }
}

// DOKU publishes no limits. These limits are those of the alfamart channel on developerhub.ppro.com, which
// uses DOKU.
const alfaLimits = { min: 10_000, max: 5_000_000 }

export const channels: readonly Channel[] = [
  va('bca', 'BCA', 'BCA', 'VIRTUAL_ACCOUNT_BCA', '19006'),
  va('mandiri', 'Mandiri', 'BANK_MANDIRI', 'VIRTUAL_ACCOUNT_BANK_MANDIRI', '88899'),
  va('bsm', 'BSI', 'BANK_SYARIAH_MANDIRI', 'VIRTUAL_ACCOUNT_BANK_SYARIAH_MANDIRI', '60590'),
  va('bri', 'BRI', 'BRI', 'VIRTUAL_ACCOUNT_BRI', '13925'),
  va('doku', 'DOKU', 'DOKU', 'VIRTUAL_ACCOUNT_DOKU', '80000'),
  alfa('alfa-virtual-account'),
  alfa('alfa-online-to-offline'),
  store('indomaret', 'Indomaret', 'INDOMARET', 'ONLINE_TO_OFFLINE_INDOMARET', '88888'),
]

function va(bank: string, label: string, acquirer: string, channel: string, prefix: string): Channel {
  return { product: `${bank}-virtual-account`, kind: 'va', label, acquirer, channel, prefix }
}

function alfa(product: string): Channel {
  const known = store('alfa', 'Alfa Group', 'ALFA', 'ONLINE_TO_OFFLINE_ALFA', '60591')
  return { ...known, product, limits: alfaLimits }
}

function store(name: string, label: string, acquirer: string, channel: string, prefix: string): Channel {
  return { product: `${name}-online-to-offline`, kind: 'store', label, acquirer, channel, prefix }
}

export function channelOf(product: string): Channel {
  const channel = channels.find(candidate => candidate.product === product)
  if (!channel) throw new Error(`DOKU has no product called ${product}`)
  return channel
}

const CODE_DIGITS = 16

/**
 * Returns a payment code that no pending order uses. The code has sixteen digits, as in every sample published
 * for DOKU.
 */
export function freeCode({ prefix }: Channel, isTaken: (code: string) => boolean): string {
  const random = CODE_DIGITS - prefix.length
  for (;;) {
    const code = prefix + String(randomInt(0, 10 ** random)).padStart(random, '0')
    if (!isTaken(code)) return code
  }
}
