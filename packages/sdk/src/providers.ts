// The payment providers and the operator's accounts with them. Only for the Owner (the service's operator).

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
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
import { Resource } from './resource.ts'

/** The payment providers and the operator's accounts with them. Only for the Owner (the service's operator). */
export class ProvidersResource extends Resource {
  /**
   * Lists the providers supported by this version of the service, what each offers, and which credentials its
   * accounts need.
   *
   * @example
   * const { items } = await gapura.providers.list()
   */
  list(options?: CallOptions): ApiPromise<ProviderList> {
    return this.call.repeatable(listProviders, {}, options)
  }

  /**
   * Returns the health of every provider account: its charges in the last minute, and whether routing currently avoids
   * it. The figures cover only the server process that handles this request.
   *
   * @example
   * const { items } = await gapura.providers.listHealth()
   * const avoided = items.filter(account => account.circuit !== 'closed')
   */
  listHealth(options?: CallOptions): ApiPromise<ProviderHealthList> {
    return this.call.repeatable(listProviderHealth, {}, options)
  }

  /**
   * Lists a provider's accounts, without their credentials.
   *
   * @example
   * const { items } = await gapura.providers.listAccounts('midtrans')
   */
  listAccounts(
    providerCode: string,
    query: QueryOf<ListProviderAccountsData> = {},
    options?: CallOptions,
  ): PagePromise<ProviderAccount> {
    return pagesOf(this.call, listProviderAccounts, { path: { provider_code: providerCode }, query }, options)
  }

  /**
   * Adds a provider account for one mode (live or test). The service never returns its credentials.
   *
   * @example
   * await gapura.providers.createAccount('midtrans', {
   *   mode: 'test',
   *   name: 'Midtrans of PT Toko Budi',
   *   credentials: { server_key: process.env.MIDTRANS_SERVER_KEY },
   * })
   */
  createAccount(
    providerCode: string,
    body: Loose<CreateProviderAccountBody>,
    options?: CallOptions,
  ): ApiPromise<ProviderAccount> {
    return this.call.once(createProviderAccount, { path: { provider_code: providerCode }, body }, options)
  }

  /**
   * Changes a provider account's fields. Omitted fields keep their values. `credentials` replaces all existing
   * credentials.
   *
   * @example
   * await gapura.providers.updateAccount('midtrans', accountId, { enabled: false })
   */
  updateAccount(
    providerCode: string,
    accountId: string,
    body: Loose<UpdateProviderAccountBody>,
    options?: CallOptions,
  ): ApiPromise<ProviderAccount> {
    return this.call.once(
      updateProviderAccount,
      { path: { provider_code: providerCode, account_id: accountId }, body },
      options,
    )
  }
}
