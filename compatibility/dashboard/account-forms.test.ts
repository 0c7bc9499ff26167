// Tests the form that creates a provider account. Also tests that a merchant sees the part of the balance that is
// withheld until the operator decides about a refund or chargeback.

import { describe, expect, inject, test } from 'vitest'
import { http, logIn, until } from '../../packages/server/test/support/merchant.ts'
import { barriers } from '../site/browser.ts'
import { openDashboard, picture } from './dashboard.ts'

const demo = inject('demo')

const inWords = [
  {
    locale: 'en-GB',
    create: 'New account',
    sources: 'Callback source addresses',
    above: 'Confirm payments above',
  },
  {
    locale: 'id-ID',
    create: 'Akun baru',
    sources: 'Alamat sumber callback',
    above: 'Konfirmasi pembayaran di atas',
  },
]

describe.each(inWords)('account forms in the language $locale', ({ locale, create, sources, above }) => {
  test('the Owner can set callback sources and a confirmation limit when creating a provider account', async () => {
    const dashboard = await openDashboard(demo.owner, { locale })
    const { page, complaints } = dashboard
    await dashboard.go('/provider-accounts?provider=xendit')
    await page.getByRole('button', { name: create }).click()
    const dialog = page.getByRole('dialog')
    const name = `Made in ${locale}`
    await dialog.getByRole('textbox').first().fill(name)
    for (const secret of await dialog.locator('input[type=password]').all()) await secret.fill('secret')
    await dialog.getByRole('textbox', { name: sources }).fill('192.0.2.0/24\n2001:db8::1')
    const sum = dialog.getByRole('textbox', { name: above })
    expect(await sum.inputValue()).toMatch(/^10[.,]000[.,]000$/)
    await sum.fill('2500000')
    expect(await barriers(page)).toEqual([])
    await picture(dashboard, `owner, new account, ${locale}`)
    await dialog.locator('button[type=submit]').click()
    const auth = await logIn(demo, demo.owner)
    const made = await until('the account exists', async () => {
      const { data } = await http('GET', `${demo.base_url}/v1/providers/xendit/accounts`, { auth })
      return data.items.find((account: { name: string }) => account.name === name)
    })
    expect(made).toMatchObject({
      callback_sources: ['192.0.2.0/24', '2001:db8::1/128'],
      inquire_above: 250_000_000,
    })
    expect(complaints).toEqual([])
  })
})
