// Tests in a real browser that saving settings never reverts a change that another admin made in the meantime.

import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { http, logIn } from '../../packages/server/test/support/merchant.ts'
import { barriers } from '../site/browser.ts'
import { openDashboard, picture } from './dashboard.ts'
import { sectionNamed } from './settings.page.ts'

const demo = inject('demo')

const as =
  (who: { email: string; password: string }) => async (method: string, path: string, body?: object) => {
    const { status, data } = await http(method, demo.base_url + path, { auth: await logIn(demo, who), body })
    expect(status).toBe(200)
    return data
  }
const asOwner = as(demo.owner)

async function newAccount() {
  const { id, name } = await asOwner('POST', '/v1/providers/xendit/accounts', {
    ...{ mode: 'test', name: `Account ${randomUUID()}` },
    credentials: { secret_key: 'xnd_development_secret', callback_token: 'secret' },
  })
  return { id, name, path: `/v1/providers/xendit/accounts/${id}` }
}

async function newTenant() {
  const { id } = await asOwner('POST', '/v1/tenants', { name: `Shop ${randomUUID()}` })
  return { id, page: `/tenants/${id}`, path: `/v1/tenants/${id}` }
}

/** Creates a tenant that may use two provider accounts and has one routing rule for the first of them. */
async function newRoutedTenant() {
  const [tenant, ...accounts] = await Promise.all([newTenant(), newAccount(), newAccount()])
  const setEntitlements = (...ids: string[]) =>
    asOwner('PUT', `${tenant.path}/entitlements`, {
      items: ids.map((id, index) => ({ provider_account_id: id, priority: index + 1 })),
    })
  const setRules = (...items: object[]) => asOwner('PUT', `${tenant.path}/routing-rules`, { items })
  const itemsOf = async (list: string) => (await asOwner('GET', `${tenant.path}/${list}`)).items
  await setEntitlements(...accounts.map(({ id }) => id))
  await setRules({ position: 1, provider_account_id: accounts[0].id })
  return { tenant, accounts, setEntitlements, setRules, itemsOf }
}

async function permissionsOf(users: string, id: string): Promise<string[]> {
  const { items } = await asOwner('GET', users)
  return items.find((user: { id: string }) => user.id === id).permissions
}

/** Creates a merchant with a user who may change all of its settings. */
async function newMerchant() {
  const { path } = await newTenant()
  const user = { email: `${randomUUID()}@example.com`, password: 'long enough' }
  await asOwner('POST', `${path}/users`, { ...user, permissions: ['admin'] })
  return user
}

test('renaming a provider account keeps the settings that another admin changed in the meantime', async () => {
  const { name, path } = await newAccount()
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go('/provider-accounts?provider=xendit')
  await page.getByRole('button', { name }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Edit' }).click()
  const changed = {
    base_url: `${demo.base_url}/xendit`,
    callback_sources: ['192.0.2.0/24'],
    inquire_above: 100_000_000,
  }
  await form.getByRole('textbox', { name: 'Name' }).fill(`${name} renamed`)
  await asOwner('PATCH', path, changed)
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('192.0.2.0/24').waitFor()
  expect(await asOwner('PATCH', path, {})).toMatchObject({ ...changed, name: `${name} renamed` })
  expect(complaints).toEqual([])
})

test('after a provider account is removed from a tenant, the Routing tab hides the account’s rules', async () => {
  const { tenant, accounts } = await newRoutedTenant()
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go(`${tenant.page}?tab=routing`)
  await page.getByRole('group', { name: 'Rule 1' }).waitFor()
  await page.getByRole('tab', { name: 'Provider accounts' }).click()
  await page.getByRole('button', { name: `Remove ${accounts[0].name}` }).click()
  await page.getByRole('button', { name: 'Save order' }).click()
  await page.getByText('The new account order takes effect').waitFor()
  await page.getByRole('tab', { name: 'Routing' }).click()
  await page.getByText('No routing rules', { exact: true }).waitFor()
  expect(await page.getByRole('group', { name: 'Rule 1' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

test.each([
  {
    ...{ locale: 'en-GB', rule: 'Rule', weight: 'Weight', save: 'Save rules' },
    ...{ changed: 'These settings were changed elsewhere', load: 'Load current settings', saved: /^Saved/ },
  },
  {
    ...{ locale: 'id-ID', rule: 'Aturan', weight: 'Bobot', save: 'Simpan aturan' },
    ...{ changed: 'Pengaturan ini diubah di tempat lain', load: 'Muat pengaturan terbaru' },
    saved: /^Tersimpan/,
  },
])(
  'if another admin has changed the routing rules, the user’s edits are saved only after the user has loaded the new rules, in the language $locale',
  async ({ locale, rule, weight, save, changed, load, saved }) => {
    const { tenant, accounts, setRules, itemsOf } = await newRoutedTenant()
    const dashboard = await openDashboard(demo.owner, { locale })
    const { page, complaints } = dashboard
    await dashboard.go(`${tenant.page}?tab=routing`)
    const weightOf = (number: number) =>
      page.getByRole('group', { name: `${rule} ${number}` }).getByRole('textbox', { name: weight })
    await weightOf(1).fill('5')
    const [first, second] = accounts.map(({ id }) => id)
    await setRules(
      { position: 1, provider_account_id: second, weight: 3 },
      { position: 2, provider_account_id: first },
    )
    const button = page.getByRole('button', { name: save })
    await button.click()
    const notice = page.getByRole('alert').filter({ hasText: changed })
    await notice.waitFor()
    expect(await button.isDisabled()).toBe(true)
    expect(await weightOf(1).inputValue()).toBe('5')
    expect(await itemsOf('routing-rules')).toMatchObject([
      { provider_account_id: second, weight: 3 },
      { provider_account_id: first, weight: 1 },
    ])
    expect(await barriers(page)).toEqual([])
    await picture(dashboard, `owner, changed routing rules, ${locale}`)
    await notice.getByRole('button', { name: load }).click()
    await notice.waitFor({ state: 'detached' })
    expect(await weightOf(1).inputValue()).toBe('3')
    await weightOf(2).fill('5')
    await button.click()
    await page.getByText(saved).first().waitFor()
    expect(await itemsOf('routing-rules')).toMatchObject([
      { provider_account_id: second, weight: 3 },
      { provider_account_id: first, weight: 5 },
    ])
    expect(complaints).toEqual([])
  },
)

test('if another admin has changed a tenant’s provider accounts, the user’s new order is not saved', async () => {
  const { tenant, accounts, setEntitlements, itemsOf } = await newRoutedTenant()
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go(`${tenant.page}?tab=entitlements`)
  await page.getByRole('button', { name: `Remove ${accounts[0].name}` }).click()
  const added = await newAccount()
  const ids = [...accounts, added].map(({ id }) => id)
  await setEntitlements(...ids)
  await page.getByRole('button', { name: 'Save order' }).click()
  await page.getByRole('button', { name: 'Load current settings' }).click()
  await page.getByRole('listitem').filter({ hasText: added.name }).waitFor()
  expect(await page.getByRole('button', { name: 'Save order' }).count()).toBe(0)
  const kept: { provider_account_id: string }[] = await itemsOf('entitlements')
  expect(kept.map(({ provider_account_id }) => provider_account_id)).toEqual(ids)
  expect(complaints).toEqual([])
})

test('if an admin renames a tenant, the tier that another admin chose in the meantime is kept', async () => {
  const tenant = await newTenant()
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go(tenant.page)
  await asOwner('PATCH', tenant.path, { tier: 'growth' })
  const name = `Renamed ${randomUUID()}`
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  expect(await asOwner('GET', tenant.path)).toMatchObject({ name, tier: 'growth' })
  await expect.poll(() => page.getByRole('combobox', { name: 'Tier' }).inputValue()).toBe('Growth')
  expect(complaints).toEqual([])
})

test('if an admin changes one request limit, another limit that was changed in the meantime is kept', async () => {
  const tenant = await newTenant()
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go(`${tenant.page}?tab=limits`)
  await asOwner('PATCH', `${tenant.path}/limits`, { requests_in_flight: 7 })
  await page.getByRole('textbox', { name: 'Requests per second' }).fill('77')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The new limits apply within one second').waitFor()
  expect(await asOwner('GET', `${tenant.path}/limits`)).toMatchObject({
    requests_per_second: { value: 77 },
    requests_in_flight: { value: 7 },
  })
  await expect.poll(() => page.getByRole('textbox', { name: 'Requests in flight' }).inputValue()).toBe('7')
  expect(complaints).toEqual([])
})

test('changing the name in the branding keeps a color that was changed in the meantime', async () => {
  const merchant = await newMerchant()
  const { page, go, complaints } = await openDashboard(merchant)
  await go('/settings')
  await as(merchant)('PUT', '/v1/branding', { display_name: null, color: '#0f766e', logo: null })
  const branding = sectionNamed(page, 'Branding')
  await branding.getByRole('textbox', { name: 'Name' }).fill('Toko Budi')
  await branding.getByRole('button', { name: 'Save branding' }).click()
  await page.getByText('Branding saved').waitFor()
  expect(await as(merchant)('GET', '/v1/branding')).toMatchObject({
    display_name: 'Toko Budi',
    color: '#0f766e',
  })
  const color = branding.getByRole('textbox', { name: 'Color', exact: true })
  await expect.poll(() => color.inputValue()).toBe('#0f766e')
  expect(complaints).toEqual([])
})

test('the security page shows an amount for refunds that another admin changed, once its window gets the focus', async () => {
  const merchant = await newMerchant()
  const { page, go, complaints } = await openDashboard(merchant)
  await page.clock.install()
  await go('/security')
  const amount = page.getByRole('textbox', { name: 'Confirm refunds above' })
  await amount.waitFor()
  await as(merchant)('PUT', '/v1/account/security', { refund_proof_above: 12_300 })
  // Data that was fetched in the last seconds is not fetched again.
  await page.clock.fastForward(60_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(() => amount.inputValue()).toBe('123')
  expect(await page.getByRole('button', { name: 'Save amount' }).isDisabled()).toBe(true)
  expect(complaints).toEqual([])
})

test('changing an API key’s scopes keeps the IP addresses that another admin allowed in the meantime', async () => {
  const tenant = await newTenant()
  const path = `${tenant.path}/api-keys`
  const { id } = await asOwner('POST', path, { name: 'Shop', mode: 'test' })
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go(`${tenant.page}?tab=keys`)
  await page.getByRole('row').filter({ hasText: 'Shop' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Scopes and addresses' }).click()
  await asOwner('PATCH', `${path}/${id}`, { allowed_ips: ['192.0.2.1'] })
  const form = page.getByRole('dialog')
  await form.getByRole('checkbox', { name: 'refunds' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  expect((await asOwner('GET', path)).items).toMatchObject([
    { scopes: ['refunds'], allowed_ips: ['192.0.2.1/32'] },
  ])
  expect(complaints).toEqual([])
})

test('if an admin describes a webhook endpoint, the URL that another admin entered in the meantime is kept', async () => {
  const merchant = await newMerchant()
  const endpoint = { mode: 'test', url: 'https://shop.example.com/old' }
  const { id } = await as(merchant)('POST', '/v1/webhook-endpoints', endpoint)
  const { page, go, complaints } = await openDashboard(merchant)
  await go(`/webhooks/endpoints/${id}?mode=test`)
  await page.getByRole('button', { name: 'Edit' }).click()
  await as(merchant)('PATCH', `/v1/webhook-endpoints/${id}`, { url: 'https://shop.example.com/new' })
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'Description' }).fill('Accounting')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await as(merchant)('GET', `/v1/webhook-endpoints/${id}`)).toMatchObject({
    url: 'https://shop.example.com/new',
    description: 'Accounting',
  })
  expect(complaints).toEqual([])
})

test('editing a user’s permissions does not restore a permission that another admin removed in the meantime', async () => {
  const tenant = await newTenant()
  const path = `${tenant.path}/users`
  const user = { email: `${randomUUID()}@example.com`, password: 'long enough' }
  await asOwner('POST', path, { ...user, permissions: ['admin'] })
  const { id } = await asOwner('POST', path, {
    ...{ email: `${randomUUID()}@example.com`, password: 'long enough' },
    permissions: ['admin', 'finance'],
  })
  const { page, go, complaints } = await openDashboard(user)
  await go('/users')
  const row = page.getByRole('row').filter({ hasText: 'Finance' })
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Change permissions' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('checkbox', { name: 'Developer' }).click()
  await asOwner('PATCH', `${path}/${id}`, { permissions: ['finance'] })
  const save = form.getByRole('button', { name: 'Save permissions' })
  await save.click()
  await form.getByRole('button', { name: 'Load current settings' }).click()
  expect(await form.getByRole('checkbox', { name: 'Admin' }).isChecked()).toBe(false)
  expect(await permissionsOf(path, id)).toEqual(['finance'])
  await form.getByRole('checkbox', { name: 'Developer' }).click()
  await save.click()
  await form.waitFor({ state: 'detached' })
  expect((await permissionsOf(path, id)).toSorted()).toEqual(['developer', 'finance'])
  expect(complaints).toEqual([])
})

test('editing an API key’s addresses does not restore an address that another admin removed in the meantime', async () => {
  const tenant = await newTenant()
  const path = `${tenant.path}/api-keys`
  const { id } = await asOwner('POST', path, {
    ...{ name: 'Shop', mode: 'test', allowed_ips: ['192.0.2.1', '192.0.2.2'] },
  })
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go(`${tenant.page}?tab=keys`)
  await page.getByRole('row').filter({ hasText: 'Shop' }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Scopes and addresses' }).click()
  const form = page.getByRole('dialog')
  const addresses = form.getByRole('combobox')
  await addresses.fill('192.0.2.3')
  await addresses.press('Enter')
  await asOwner('PATCH', `${path}/${id}`, { allowed_ips: ['192.0.2.1'] })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Load current settings' }).click()
  await form.getByText('192.0.2.3').waitFor({ state: 'detached' })
  expect(await form.getByText('192.0.2.2').count()).toBe(0)
  expect((await asOwner('GET', path)).items).toMatchObject([{ allowed_ips: ['192.0.2.1/32'] }])
  expect(complaints).toEqual([])
})

test('editing a provider account’s callback sources does not revert another admin’s change to the sources', async () => {
  const { name, path } = await newAccount()
  await asOwner('PATCH', path, { callback_sources: ['192.0.2.0/24'] })
  const { page, go, complaints } = await openDashboard(demo.owner)
  await go('/provider-accounts?provider=xendit')
  await page.getByRole('button', { name }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Edit' }).click()
  const sources = form.getByRole('textbox', { name: 'Callback source addresses' })
  await sources.fill('192.0.2.0/24\n203.0.113.0/24')
  await asOwner('PATCH', path, { callback_sources: ['198.51.100.0/24'] })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Load current settings' }).click()
  await expect.poll(() => sources.inputValue()).toBe('198.51.100.0/24')
  expect(await asOwner('PATCH', path, {})).toMatchObject({ callback_sources: ['198.51.100.0/24'] })
  expect(complaints).toEqual([])
})
