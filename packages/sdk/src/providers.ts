// The providers and our contracts with them: for the Owner.

import type { Call } from './call.ts'
import {
  type CreateProviderAccountBody,
  createProviderAccount,
  type ListProviderAccountsData,
  listProviderAccounts,
  listProviderHealth,
  listProviders,
  type ProviderAccount,
  type ProviderAccountPage,
  type ProviderHealthList,
  type ProviderList,
  type UpdateProviderAccountBody,
  updateProviderAccount,
} from './generated/index.ts'
import type { Loose, QueryOf } from './query.ts'

export const providersOf = (call: Call) => ({
  /**
   * Every provider of the service's build, what it offers and what its accounts need.
   *
   * @example
   * const { items } = await gapura.providers.list()
   */
  list: (): Promise<ProviderList> => call.repeatable(options => listProviders(options)),

  /**
   * How every account fares: its charges of the last minute, and whether routing avoids it. Of the process that
   * answers.
   *
   * @example
   * const { items } = await gapura.providers.health()
   * const avoided = items.filter(account => account.circuit !== 'closed')
   */
  health: (): Promise<ProviderHealthList> => call.repeatable(options => listProviderHealth(options)),

  /**
   * A provider's accounts, without their credentials.
   *
   * @example
   * const { items } = await gapura.providers.accounts('midtrans')
   */
  accounts: (
    providerCode: string,
    query: QueryOf<ListProviderAccountsData> = {},
  ): Promise<ProviderAccountPage> =>
    call.repeatable(options =>
      listProviderAccounts({ ...options, path: { provider_code: providerCode }, query }),
    ),

  /**
   * Adds a contract with a provider, in one mode. The credentials are never shown again.
   *
   * @example
   * await gapura.providers.createAccount('midtrans', {
   *   mode: 'test',
   *   name: 'Midtrans of PT Toko Budi',
   *   credentials: { server_key: process.env.MIDTRANS_SERVER_KEY },
   * })
   */
  createAccount: (providerCode: string, body: Loose<CreateProviderAccountBody>): Promise<ProviderAccount> =>
    call.once(options => createProviderAccount({ ...options, path: { provider_code: providerCode }, body })),

  /**
   * Changes what is named; `credentials` replace all that were there.
   *
   * @example
   * await gapura.providers.updateAccount('midtrans', accountId, { enabled: false })
   */
  updateAccount: (
    providerCode: string,
    accountId: string,
    body: Loose<UpdateProviderAccountBody>,
  ): Promise<ProviderAccount> =>
    call.once(options =>
      updateProviderAccount({
        ...options,
        path: { provider_code: providerCode, account_id: accountId },
        body,
      }),
    ),
})
