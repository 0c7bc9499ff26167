// Tests which refunds with an unknown outcome the Owner is emailed about.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { makeUsers, noticeMails } from '../../test/support/notices.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import { sentWhile } from '../../test/support/sent-statements.ts'
import type { Db } from '../db/db.ts'
import { createRefund } from '../payments/refund/create-refund.ts'
import { newId } from '../values/id.ts'
import { findConditions } from './find-conditions.sql.ts'

const toOwner = ['admin@owner.example', 'finance@owner.example']

let db: Db
let mails: ReturnType<typeof noticeMails>
let scene: ReturnType<typeof refundScene>

beforeEach(async () => {
  ;({ db } = await testDatabase())
  await makeUsers(db, await makeTenant(db, { role: 'owner' }), 'owner')
  mails = noticeMails(db)
  scene = refundScene(db)
  await scene.begin()
  scene.respond = () => ({ type: 'unknown', reason: 'no answer' })
})

const request = (input: Parameters<typeof createRefund>[3]) =>
  createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), input, {
    ...{ byUser: false, unprovenUpTo: null },
  })
/** Ends the inquiries about all refunds, as after 72 hours. */
const endInquiries = () => db.raw('update refunds set next_check_at = null')

describe('the Owner is emailed about refunds whose outcome the provider has not reported within 72 hours', () => {
  test('the email counts the refunds of the merchant and of the operator', async () => {
    await scene.receive(120_000n, 'r-1')
    await scene.giveBack()
    expect(await scene.refunds()).toMatchObject([
      { origin: 'operator', method: 'provider', status: 'pending' },
    ])
    expect(await mails.mailAt(now)).toEqual([])
    await endInquiries()
    expect(await mails.mailAt(now)).toEqual(toOwner)
    expect(mails.textOf()).toContain('For 1 live charges or refunds')

    await request({ amount: 10_000 })
    await endInquiries()
    expect(await findConditions(db, newId(), now)).toMatchObject([
      { kind: 'outcome_unknown', detail: { count: 2 } },
    ])
  })

  test('no email is sent about a refund by bank transfer, because no provider was involved', async () => {
    await scene.receive(100_000n, 'r-1')
    scene.terms = undefined
    await request({ bank_account: bankAccount })
    expect(await scene.refunds()).toMatchObject([{ method: 'manual', status: 'pending', nextCheckAt: null }])
    expect(await mails.mailAt(now)).toEqual([])
  })

  test('these refunds are found through the index that contains only waiting refunds', async () => {
    const sent = await sentWhile(() => findConditions(db, newId(), now))
    const { text } = sent.find(each => each.text.includes("'outcome_unknown'")) as { text: string }
    const plan = await db.transaction(async tx => {
      await tx.raw('set local enable_seqscan = off')
      return JSON.stringify((await tx.raw(`explain (format json) ${text}`)).rows)
    })
    expect(plan).toContain('"Index Name":"refunds_waiting"')
  })
})
