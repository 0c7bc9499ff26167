// Runs the calls documented for the providers' official Python, Go and Java libraries against the sandbox.
// packages/sandbox tests the Node libraries. Two libraries are not on Maven Central and therefore not tested: DOKU's
// Java library, and Midtrans' Java library after version 3.1.2.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startSandbox } from '../../packages/sandbox/src/server.ts'
import { buildGo, installJava, installPython, type Program } from './install.ts'

let sandbox: RunningSandbox
let place: string
/**
 * The test programs in Python, Go and Java. Their libraries are installed at the same time, because an installation
 * mostly waits for the network.
 */
let installing: Record<'python' | 'go' | 'java', Promise<Program>>
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'gapura-clients-'))
  installing = { python: installPython(place), go: buildGo(place), java: installJava(place) }
  // A failed installation is ignored here, because the tests of the affected language report the failure.
  for (const each of Object.values(installing)) each.catch(() => {})
  sandbox = await startSandbox({ port: 0 })
})
afterAll(async () => {
  await Promise.allSettled(Object.values(installing))
  await sandbox.close()
  await rm(place, { recursive: true, force: true })
})

const digits = expect.stringMatching(/^\d{6,}$/)
const midtrans = {
  charged: 'pending',
  number: digits,
  cancelled: 'cancel',
  paid: 'settlement',
  refunded: ['partial_refund', '5000.00'],
  repeated: true,
  listed: ['5000.00', '6000.00'],
  unknown: 404,
}

const doku = {
  created: '2002700',
  // DOKU's library itself rejects this request because the customer name contains `#`. The sandbox never receives
  // the request.
  'refused by the library': expect.stringMatching(/^500/),
  pending: '2002600',
  updated: '2002800',
  paid: { value: '20000.00', currency: 'IDR' },
  deleted: '2003100',
  wallet: '2005400',
}

describe('the official Python libraries', () => {
  let run: Program
  beforeAll(async () => {
    run = await installing.python
  })

  test('midtransclient can create a charge, refund it and process its notification in the sandbox', async () => {
    expect(await run('midtrans', sandbox.url)).toEqual({
      ...midtrans,
      expired: 'expire',
      direct: ['reference2', '6000.00'],
      notified: true,
    })
  })

  test('xendit-python can create, find and refund a payment request in the sandbox', async () => {
    expect(await run('xendit', sandbox.url)).toEqual({
      created: 'PENDING',
      number: digits,
      found: true,
      listed: true,
      wallet: ['WEB', 'MOBILE'],
      refunded: ['DANA', 4000],
      repeated: true,
      fetched: true,
      refused: ['400', 'INELIGIBLE_TRANSACTION_STATUS'],
    })
  })

  test('doku-python-library can use virtual accounts, wallets and notifications in the sandbox', async () => {
    expect(await run('doku', sandbox.url)).toEqual({
      ...doku,
      callbacks: [200],
      notified: [['/callbacks/v1/transfer-va/payment', true]],
      'wallet status': '2005500',
    })
  })
})

describe('the official Go libraries', () => {
  let run: Program
  beforeAll(async () => {
    run = await installing.go
  })

  test('midtrans-go can create a charge and refund it in the sandbox', async () => {
    expect(await run('midtrans', sandbox.url)).toEqual({ ...midtrans, direct: ['order1-ref2', '6000.00'] })
  })

  test('xendit-go can create, find and refund a payment request in the sandbox', async () => {
    expect(await run('xendit', sandbox.url)).toEqual({
      created: 'PENDING',
      found: true,
      wallet: 'WEB',
      refunded: ['DANA', 4000],
      repeated: true,
      fetched: true,
      refused: 'INELIGIBLE_TRANSACTION_STATUS',
    })
  })

  test('with doku-golang-library, a program can create virtual accounts and wallet payments and validate notifications in the sandbox', async () => {
    const refunded = { value: '1500.00', currency: 'IDR' }
    expect(await run('doku', sandbox.url)).toEqual({
      ...doku,
      callbacks: [{ status: 200, body: '' }],
      notified: [
        ['/v1/transfer-va/payment', true],
        ['/v1.0/debit/notify', true],
      ],
      refunded: ['2000700', refunded],
      'wallet status': [
        '2005500',
        [expect.objectContaining({ partnerReferenceNo: 'INV-REF-001', refundAmount: refunded })],
      ],
    })
  })
})

describe('the official Java libraries', () => {
  let run: Program
  beforeAll(async () => {
    run = await installing.java
  })

  test('the Midtrans java-library can create a charge and refund it in the sandbox', async () => {
    expect(await run('MidtransCalls', sandbox.url)).toEqual({
      ...midtrans,
      expired: 'expire',
      direct: ['reference2', '6000.00'],
    })
  })

  test('xendit-java-lib can create and then read virtual account, QR and e-wallet payments in the sandbox', async () => {
    expect(await run('XenditCalls', sandbox.url)).toEqual({
      account: 'PENDING',
      number: digits,
      open: 'ACTIVE',
      paid: 'INACTIVE',
      code: 'ACTIVE',
      'code found': true,
      wallet: 'PENDING',
      'wallet paid': 'SUCCEEDED',
      refused: 'BANK_NOT_SUPPORTED_ERROR',
    })
  })
})
