// Tests over HTTP which callers can set a fee schedule, and which version of it applies to a payment.

import { describe, expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { managersOf, newTenant, refusal } from '../support/management-api.ts'
import { merchantOf } from '../support/merchant.ts'

const { app, demo } = await testApp({ worker: false })
const { owner, partner, client } = await managersOf(demo)
const clientPath = `/v1/tenants/${demo.client.tenant_id}`
const partnerPath = `/v1/tenants/${demo.partner.tenant_id}`
const merchant = merchantOf(demo)

const none = { method_type: null, channel: null, percent_bps: 0, fixed: 0, min: null, max: null, tax_bps: 0 }
const bca = {
  ...none,
  method_type: 'virtual_account',
  channel: 'bca',
  percent_bps: 70,
  fixed: 400_000,
  tax_bps: 1_100,
}
const previewPath = (path: string) =>
  `${path}/fee-preview?method_type=virtual_account&channel=BCA&amount=15000000`

const termsOf = async (payment: { id: string }) => {
  const { rows } = await app.db.raw('select fee_terms from payments where id = ?', [payment.id])
  return rows[0].fee_terms
}

test('a tenant without a fee schedule pays no fee, and its payments are stored without fee terms', async () => {
  const shop = await newTenant(app, demo, 'client')
  expect((await shop.call('GET', '/v1/account/fee-schedule')).data).toEqual({
    tenant_id: shop.id,
    layer: 'operator',
    version: null,
    effective_from: null,
    refund_fees: false,
    rules: [],
    created_at: null,
    upcoming: [],
  })
  expect((await shop.call('GET', previewPath('/v1/account'))).data).toEqual({
    amount: 15_000_000,
    fee: 0,
    net: 0,
    tax: 0,
    received: 15_000_000,
    formula: null,
  })
  expect(await termsOf((await merchant.create()).data)).toBeNull()
})

describe('the operator can set a fee schedule for a Partner, whose Clients then pay these fees', () => {
  test('a Client pays the operator’s fees until its Partner sets higher fees; the Partner then receives the difference', async () => {
    const set = await owner('PUT', `${partnerPath}/fee-schedule`, { rules: [bca] })
    expect(set).toMatchObject({ status: 200, data: { layer: 'operator', version: 1, rules: [bca] } })
    expect((await client('GET', previewPath('/v1/account'))).data).toEqual({
      amount: 15_000_000,
      fee: 560_550,
      net: 505_000,
      tax: 55_550,
      received: 14_439_450,
      formula: '0.7% + Rp 4.000, PPN 11%',
    })

    const dearer = { ...bca, channel: null, fixed: 500_000 }
    expect(
      await partner('PUT', `${clientPath}/fee-schedule`, { rules: [dearer], refund_fees: true }),
    ).toMatchObject({
      status: 200,
      data: { layer: 'partner', version: 1, refund_fees: true, rules: [dearer] },
    })
    expect((await partner('GET', previewPath(clientPath))).data).toMatchObject({
      fee: 671_550,
      operator_fee: 560_550,
      partner_margin: 111_000,
      formula: '0.7% + Rp 5.000, PPN 11%',
    })
    // The Client sees only the fees that it pays, and the Owner sees only the fees that the operator charges the
    // Partner.
    expect((await client('GET', '/v1/account/fee-schedule')).data.rules).toEqual([dearer])
    expect((await owner('GET', `${clientPath}/fee-schedule`)).data.rules).toEqual([])
    expect((await partner('GET', `${partnerPath}/fee-schedule`)).data.rules).toEqual([bca])
  })

  test('a payment keeps the fee terms from its creation even if the fee schedule changes', async () => {
    const { data: payment } = await merchant.create()
    expect(await termsOf(payment)).toMatchObject({ operator: { version: 1 }, partner: { version: 1 } })
    await owner('PUT', `${partnerPath}/fee-schedule`, { rules: [{ ...bca, percent_bps: 80 }] })
    expect(await termsOf(payment)).toMatchObject({ operator: { version: 1, percent_bps: 70 } })
    const { data: later } = await merchant.create()
    expect(await termsOf(later)).toMatchObject({ operator: { version: 2, percent_bps: 80 } })
  })

  test('a fee schedule does not apply before its start date', async () => {
    const effective_from = '2099-01-01T00:00:00+07:00'
    const { data } = await owner('PUT', `${partnerPath}/fee-schedule`, { rules: [], effective_from })
    expect(data).toMatchObject({
      version: 2,
      upcoming: [{ version: 3, rules: [], effective_from: '2098-12-31T17:00:00.000Z' }],
    })
    expect(await termsOf((await merchant.create()).data)).toMatchObject({ operator: { version: 2 } })
  })
})

describe('a Client sees the fee schedule that it is charged now, and each later change', () => {
  const operatorRule = { ...none, fixed: 100 }
  const partnerRule = { ...none, fixed: 250 }
  const start = '2098-01-01T00:00:00.000Z'

  async function newClient() {
    const reseller = await newTenant(app, demo, 'partner')
    const shop = await newTenant(app, demo, 'client', reseller.id)
    const setFees = (caller: typeof owner, tenantId: string, schedule: object) =>
      caller('PUT', `/v1/tenants/${tenantId}/fee-schedule`, schedule)
    await setFees(owner, reseller.id, { rules: [operatorRule] })
    return {
      setPrice: (schedule: object) => setFees(reseller.call, shop.id, schedule),
      setCost: (schedule: object) => setFees(owner, shop.id, schedule),
      ownFees: async () => (await shop.call('GET', '/v1/account/fee-schedule')).data,
      fee: async () => (await shop.call('GET', previewPath('/v1/account'))).data.fee,
    }
  }

  test("until its Partner's fee schedule starts, a Client sees the operator's fee schedule", async () => {
    const { setPrice, ownFees, fee } = await newClient()
    await setPrice({ rules: [partnerRule], effective_from: start })
    expect(await ownFees()).toMatchObject({
      ...{ layer: 'operator', version: 1, rules: [operatorRule] },
      upcoming: [{ rules: [partnerRule], effective_from: start }],
    })
    expect(await fee()).toBe(100)
  })

  test("until the operator's fee schedule for a Client starts, the Client sees the operator's fee schedule for its Partner", async () => {
    const { setCost, ownFees, fee } = await newClient()
    await setCost({ rules: [], effective_from: start })
    expect(await ownFees()).toMatchObject({
      ...{ layer: 'operator', version: 1, rules: [operatorRule] },
      upcoming: [{ rules: [], effective_from: start }],
    })
    expect(await fee()).toBe(100)
  })

  test("while its Partner's fee schedule has no rules, a Client sees the operator's fee schedule", async () => {
    const { setPrice, setCost, ownFees, fee } = await newClient()
    await setPrice({ rules: [partnerRule] })
    await setPrice({ rules: [], effective_from: start })
    // This version of the fees never applies to the Client, because it is replaced while the Partner's price still
    // applies.
    await setCost({ rules: [{ ...none, fixed: 50 }], effective_from: '2097-01-01T00:00:00.000Z' })
    await setCost({ rules: [{ ...none, fixed: 75 }], effective_from: '2097-06-01T00:00:00.000Z' })
    expect(await ownFees()).toMatchObject({
      ...{ layer: 'partner', version: 1, rules: [partnerRule] },
      upcoming: [{ version: 2, rules: [{ ...none, fixed: 75 }], effective_from: start }],
    })
    expect(await fee()).toBe(250)
    await setPrice({ rules: [] })
    expect(await ownFees()).toMatchObject({ layer: 'operator', rules: [operatorRule] })
    expect(await fee()).toBe(100)
  })
})

test("a Client's audit log does not contain what the operator charges its Partner", async () => {
  const reseller = await newTenant(app, demo, 'partner')
  const shop = await newTenant(app, demo, 'client', reseller.id)
  const ownShop = await newTenant(app, demo, 'client')
  const [cost, price] = [
    { ...none, fixed: 100 },
    { ...none, fixed: 250 },
  ]
  for (const id of [shop.id, ownShop.id])
    await owner('PUT', `/v1/tenants/${id}/fee-schedule`, { rules: [cost] })
  await reseller.call('PUT', `/v1/tenants/${shop.id}/fee-schedule`, { rules: [price] })
  const entriesFor = async (call: typeof owner, id: string) =>
    (await call('GET', `/v1/audit-log?action=fee_schedule.replace&tenant_id=${id}`)).data.items.map(
      ({ before, after }: { before: object | null; after: object | null }) => ({ before, after }),
    )

  const [ofPrice, ofCost] = [
    { before: { layer: 'partner' }, after: { layer: 'partner', rules: [price] } },
    { before: { layer: 'operator' }, after: { layer: 'operator', rules: [cost] } },
  ]
  expect(await entriesFor(shop.call, shop.id)).toMatchObject([ofPrice, { before: null, after: null }])
  expect(await entriesFor(owner, shop.id)).toMatchObject([ofPrice, ofCost])
  expect(await entriesFor(ownShop.call, ownShop.id)).toMatchObject([ofCost])
})

describe('a fee schedule is rejected if it breaks a rule or the caller may not set it', () => {
  test.each([
    [
      'with a fee below the fee that the operator charges the Partner',
      partner,
      clientPath,
      [none],
      /^bad request: rules\.0: the fee for a payment of 1 cents is below your cost of \d+ cents$/,
    ],
    [
      'with two rules for the same payments',
      owner,
      clientPath,
      [none, none],
      /^bad request: rules\.1: another fee rule has the same method_type and channel$/,
    ],
    [
      'with a channel that no provider offers',
      owner,
      clientPath,
      [none, { ...bca, channel: 'bac' }],
      /^bad request: rules\.1\.channel: bac is not offered by any provider; the channels are .*\bbca\b/,
    ],
    [
      'with a channel of another payment method',
      owner,
      clientPath,
      [{ ...none, method_type: 'qris', channel: 'bca' }],
      /^bad request: rules\.0\.channel: bca is not offered by any provider; the channels are qris$/,
    ],
    [
      'with a channel of a method with which payments cannot be created yet',
      owner,
      clientPath,
      [{ ...none, channel: 'akulaku' }],
      /^bad request: rules\.0\.channel: akulaku is not offered by any provider; the channels are .*\bbca\b/,
    ],
    [
      'with a maximum below the minimum',
      owner,
      clientPath,
      [{ ...none, min: 2, max: 1 }],
      /^bad request: rules\.0\.max: /,
    ],
    [
      'with a rate above 100 %',
      owner,
      clientPath,
      [{ ...none, percent_bps: 10_001 }],
      /^bad request: rules\.0\.percent_bps: /,
    ],
    [
      'with a fraction of a cent',
      owner,
      clientPath,
      [{ ...none, fixed: 0.5 }],
      /^bad request: rules\.0\.fixed: /,
    ],
  ])('a fee schedule %s is rejected', async (_, caller, path, rules, message) => {
    const before = (await caller('GET', `${path}/fee-schedule`)).data
    expect(refusal(await caller('PUT', `${path}/fee-schedule`, { rules }))).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringMatching(message),
    ])
    expect((await caller('GET', `${path}/fee-schedule`)).data).toEqual(before)
  })

  test("a Partner's price below the Partner's cost is rejected even if the price starts in the past", async () => {
    const below = { rules: [none], effective_from: '2000-01-01T00:00:00Z' }
    expect(refusal(await partner('PUT', `${clientPath}/fee-schedule`, below))).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringMatching(/^bad request: rules\.0: the fee for a payment of 1 cents is below your cost/),
    ])
  })

  test("a Partner's price one cent below the Partner's cost is rejected, and an equal price is accepted", async () => {
    const reseller = await newTenant(app, demo, 'partner')
    const { id } = await newTenant(app, demo, 'client', reseller.id)
    await owner('PUT', `/v1/tenants/${reseller.id}/fee-schedule`, { rules: [{ ...none, fixed: 400_000 }] })
    const setPrice = (fixed: number) =>
      reseller.call('PUT', `/v1/tenants/${id}/fee-schedule`, { rules: [{ ...none, fixed }] })
    expect(refusal(await setPrice(399_999))).toEqual([
      400,
      'BAD_REQUEST',
      'bad request: rules.0: the fee for a payment of 1 cents is below your cost of 400000 cents',
    ])
    expect((await setPrice(400_000)).status).toBe(200)
  })

  test("a fee schedule can be set only by the Owner and the Client's Partner", async () => {
    const stranger = await newTenant(app, demo, 'partner')
    expect((await stranger.call('PUT', `${clientPath}/fee-schedule`, { rules: [] })).status).toBe(404)
    expect((await stranger.call('GET', previewPath(clientPath))).status).toBe(404)
    expect((await client('PUT', `${clientPath}/fee-schedule`, { rules: [] })).status).toBe(403)
    expect((await partner('PUT', `${partnerPath}/fee-schedule`, { rules: [] })).status).toBe(403)
  })
})

test('the audit log contains every version of a fee schedule', async () => {
  const { data } = await owner('GET', '/v1/audit-log?action=fee_schedule.replace')
  expect(data.items.length).toBeGreaterThan(0)
  expect(data.items[0].after).toMatchObject({ layer: expect.any(String), version: expect.any(Number) })
})

test('a stored version of a fee schedule cannot be changed or deleted', async () => {
  for (const change of ['update fee_schedules set refunds_fees = true', 'delete from fee_schedules'])
    await expect(app.db.raw(change)).rejects.toThrow('permission denied for table fee_schedules')
})
