// Account and webhook settings of the caller's own tenant.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  changePassword,
  getAccount,
  getBalance,
  listOwnApiKeys,
  listOwnUsers,
} from './generated/operations.gen.ts'
import type {
  Account,
  ApiKey,
  Balance,
  GetBalanceData,
  ListOwnApiKeysData,
  ListOwnUsersData,
  User,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** The caller's own tenant. */
export class AccountResource extends Resource {
  /**
   * Returns the tenant and the user to whom the access token belongs.
   *
   * @example
   * const { name, role, user } = await gapura.account.get()
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return this.call.repeatable(getAccount, {}, options)
  }

  /**
   * Returns the balance in cents. An API key can read only the balance in its own mode; for a user, `mode` defaults to
   * `live`.
   *
   * @example
   * const { balance } = await gapura.account.getBalance({ mode: 'test' })
   */
  getBalance(query: QueryOf<GetBalanceData> = {}, options?: CallOptions): ApiPromise<Balance> {
    return this.call.repeatable(getBalance, { query }, options)
  }

  /**
   * Lists the tenant's API keys, including keys that are revoked or have expired.
   *
   * @example
   * const { items } = await gapura.account.listApiKeys()
   */
  listApiKeys(query: QueryOf<ListOwnApiKeysData> = {}, options?: CallOptions): PagePromise<ApiKey> {
    return pagesOf(this.call, listOwnApiKeys, { query }, options)
  }

  /**
   * Lists the users who can log in for the tenant.
   *
   * @example
   * const { items } = await gapura.account.listUsers()
   */
  listUsers(query: QueryOf<ListOwnUsersData> = {}, options?: CallOptions): PagePromise<User> {
    return pagesOf(this.call, listOwnUsers, { query }, options)
  }

  /**
   * Changes the password of the user to whom the access token belongs. All other sessions of this user end.
   *
   * @example
   * await gapura.account.changePassword({ currentPassword, newPassword })
   */
  changePassword(
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    options?: CallOptions,
  ): ApiPromise<{ changed: true }> {
    return this.call.once(
      changePassword,
      { body: { current_password: currentPassword, new_password: newPassword } },
      options,
    )
  }
}
