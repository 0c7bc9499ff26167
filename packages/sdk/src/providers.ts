// The providers and our contracts with them: for the Owner.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import {
  createProviderAccount,
  listProviderAccounts,
  listProviderHealth,
  listProviders,
  updateProviderAccount,
} from './generated/operations.gen.ts'
import type {
  CreateProviderAccountBody,
  ListProviderAccountsData,
  ProviderAccount,
  ProviderHealthList,
  ProviderList,
  UpdateProviderAccountBody,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'

export const providersOf = (call: Call) => ({
  /**
   * Every provider of the service's build, what it offers and what its accounts need.
   *
   * @example
   * const { items } = await gapura.providers.list()
   */
  list: (options?: CallOptions): ApiPromise<ProviderList> => call.repeatable(listProviders, {}, options),

  /**
   * How every account fares: its charges of the last minute, and whether routing avoids it. Of the process that
   * answers.
   *
   * @example
   * const { items } = await gapura.providers.health()
   * const avoided = items.filter(account => account.circuit !== 'closed')
   */
  health: (options?: CallOptions): ApiPromise<ProviderHealthList> =>
    call.repeatable(listProviderHealth, {}, options),

  /**
   * A provider's accounts, without their credentials.
   *
   * @example
   * const { items } = await gapura.providers.accounts('midtrans')
   */
  accounts: (
    providerCode: string,
    query: QueryOf<ListProviderAccountsData> = {},
    options?: CallOptions,
  ): PagePromise<ProviderAccount> =>
    pagesOf(call, listProviderAccounts, { path: { provider_code: providerCode }, query }, options),

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
  createAccount: (
    providerCode: string,
    body: Loose<CreateProviderAccountBody>,
    options?: CallOptions,
  ): ApiPromise<ProviderAccount> =>
    call.once(createProviderAccount, { path: { provider_code: providerCode }, body }, options),

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
    options?: CallOptions,
  ): ApiPromise<ProviderAccount> =>
    call.once(
      updateProviderAccount,
      { path: { provider_code: providerCode, account_id: accountId }, body },
      options,
    ),
})
