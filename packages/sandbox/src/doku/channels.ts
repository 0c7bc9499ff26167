import { randomInt } from 'node:crypto'

// The channels of DOKU's own API. Paths and identifiers follow developers.doku.com and jokul-php-library; the path
// of Indomaret is known from integrations only, and Alfa's page is said to name a wrong one.

export type Channel = {
  // The first part of its path.
  product: string
  kind: 'va' | 'store'
  // What the page of the sandbox calls it.
  label: string
  acquirer: string
  channel: string
  prefix: string
  // Rupiah; absent where nothing was found.
  limits?: { min: number; max: number }
}

// developerhub.ppro.com alfamart, which goes through DOKU.
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
  if (!channel) throw new Error(`no DOKU product ${product}`)
  return channel
}

const CODE_DIGITS = 16

/** Sixteen digits, as in every published sample, that nobody else is waiting to be paid on. */
export function freeCode({ prefix }: Channel, isTaken: (code: string) => boolean): string {
  const random = CODE_DIGITS - prefix.length
  for (;;) {
    const code = prefix + String(randomInt(0, 10 ** random)).padStart(random, '0')
    if (!isTaken(code)) return code
  }
}
