// Fee schedules and fee previews.

import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import {
  getFeeSchedule,
  getOwnFeeSchedule,
  getOwnFeeStatement,
  getTenantFeeStatement,
  previewOwnFee,
  previewTenantFee,
  reportFees,
  setFeeSchedule,
} from './generated/operations.gen.ts'
import type {
  FeePreview,
  FeeReport,
  FeeRuleInput,
  FeeSchedule,
  FeeStatement,
  GetOwnFeeStatementData,
  GetTenantFeeStatementData,
  PreviewOwnFeeData,
  PreviewTenantFeeData,
  ReportFeesData,
  SetFeeScheduleBody,
  TenantFeePreview,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

const mediaTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
/** The format of a file: CSV with amounts in cents, or an Excel workbook with amounts in rupiah. */
export type FileFormat = keyof typeof mediaTypes

const readFileAs = (format: FileFormat) => ({
  accept: mediaTypes[format],
  read: (response: Response) => response.blob(),
})

/**
 * The fees for your payments. The Owner (the service's operator) and Partners (resellers) also manage their
 * tenants' fees.
 */
export class FeesResource extends Resource {
  /**
   * Returns the fee schedule that determines the fees for your payments.
   *
   * @example
   * const { rules } = await gapura.fees.get()
   */
  get(options?: CallOptions): ApiPromise<FeeSchedule> {
    return this.call.repeatable(getOwnFeeSchedule, {}, options)
  }

  /**
   * Returns the fee a payment would have if you created it now. Amounts are in cents.
   *
   * @example
   * const { fee, received } = await gapura.fees.preview({
   *   method_type: 'virtual_account', channel: 'bca', amount: 15_000_000,
   * })
   */
  preview(query: QueryOf<PreviewOwnFeeData>, options?: CallOptions): ApiPromise<FeePreview> {
    return this.call.repeatable(previewOwnFee, { query }, options)
  }

  /**
   * Returns the fee schedule you set for a tenant. Only for the Owner (the service's operator) and Partners
   * (resellers).
   *
   * @example
   * const { version, rules, upcoming } = await gapura.fees.getTenant(tenantId)
   */
  getTenant(tenantId: string, options?: CallOptions): ApiPromise<FeeSchedule> {
    return this.call.repeatable(getFeeSchedule, { path: { tenant_id: tenantId } }, options)
  }

  /**
   * Adds a version to a tenant's fee schedule. Existing payments' fees do not change. Only for the Owner (the
   * service's operator) and Partners (resellers).
   *
   * @example
   * await gapura.fees.setTenant(tenantId, {
   *   rules: [{ method_type: 'virtual_account', channel: 'bca', percent_bps: 70, fixed: 400_000, tax_bps: 1_100 }],
   * })
   */
  setTenant(
    tenantId: string,
    body: Loose<Omit<SetFeeScheduleBody, 'rules'>> & { rules: Loose<FeeRuleInput>[] },
    options?: CallOptions,
  ): ApiPromise<FeeSchedule> {
    // The type cast ignores that fields of the rules may be undefined. This is safe, because JSON.stringify
    // omits undefined fields.
    const loose = body as Loose<SetFeeScheduleBody>
    return this.call.repeatable(setFeeSchedule, { path: { tenant_id: tenantId }, body: loose }, options)
  }

  /**
   * Previews the fee for a new payment of a tenant, with the operator's and the Partner's shares. Only for the Owner
   * (the service's operator) and Partners (resellers).
   *
   * @example
   * const { fee, operator_fee, partner_margin } = await gapura.fees.previewTenant(tenantId, {
   *   method_type: 'qris', channel: 'qris', amount: 15_000_000,
   * })
   */
  previewTenant(
    tenantId: string,
    query: QueryOf<PreviewTenantFeeData>,
    options?: CallOptions,
  ): ApiPromise<TenantFeePreview> {
    return this.call.repeatable(previewTenantFee, { path: { tenant_id: tenantId }, query }, options)
  }

  /**
   * Returns how many fees were charged in a period and their totals in cents, grouped by `group_by`.
   *
   * @example
   * const { items } = await gapura.fees.report({ from: '2026-11-01', group_by: 'day,channel' })
   */
  report(query: QueryOf<ReportFeesData> = {}, options?: CallOptions): ApiPromise<FeeReport> {
    return this.call.repeatable(reportFees, { query }, options)
  }

  /**
   * Returns the fee report as CSV or as an Excel workbook.
   *
   * @example
   * const workbook = await gapura.fees.reportFile('xlsx', { from: '2026-11-01', group_by: 'day' })
   * await writeFile('fees.xlsx', workbook.stream())
   */
  reportFile(
    format: FileFormat,
    query: QueryOf<ReportFeesData> = {},
    options?: CallOptions,
  ): ApiPromise<Blob> {
    return this.call.repeatable(reportFees, { query }, options, readFileAs(format))
  }

  /**
   * Returns the fees for your payments in a month, with the amounts before tax (DPP) and the tax (PPN). A Partner
   * (reseller) also gets its margins, and the credits for them in its ledger.
   *
   * @example
   * const { net, tax, total, margins } = await gapura.fees.statement({ month: '2026-11' })
   */
  statement(query: QueryOf<GetOwnFeeStatementData>, options?: CallOptions): ApiPromise<FeeStatement> {
    return this.call.repeatable(getOwnFeeStatement, { query }, options)
  }

  /**
   * Returns the items of your fee statement as CSV or as an Excel workbook. If you are a Partner (a reseller), the file
   * also contains your margins.
   *
   * @example
   * const csv = await (await gapura.fees.statementFile('csv', { month: '2026-11' })).text()
   */
  statementFile(
    format: FileFormat,
    query: QueryOf<GetOwnFeeStatementData>,
    options?: CallOptions,
  ): ApiPromise<Blob> {
    return this.call.repeatable(getOwnFeeStatement, { query }, options, readFileAs(format))
  }

  /**
   * Returns the fees for a tenant's payments in a month. Only for the Owner (the service's operator) and Partners
   * (resellers).
   *
   * @example
   * const { items, total } = await gapura.fees.tenantStatement(tenantId, { month: '2026-11' })
   */
  tenantStatement(
    tenantId: string,
    query: QueryOf<GetTenantFeeStatementData>,
    options?: CallOptions,
  ): ApiPromise<FeeStatement> {
    return this.call.repeatable(getTenantFeeStatement, { path: { tenant_id: tenantId }, query }, options)
  }

  /**
   * Returns a tenant's fee statement items as CSV or as an Excel workbook. Only for the Owner (the service's
   * operator) and Partners (resellers).
   *
   * @example
   * const workbook = await gapura.fees.tenantStatementFile('xlsx', tenantId, { month: '2026-11' })
   */
  tenantStatementFile(
    format: FileFormat,
    tenantId: string,
    query: QueryOf<GetTenantFeeStatementData>,
    options?: CallOptions,
  ): ApiPromise<Blob> {
    const request = { path: { tenant_id: tenantId }, query }
    return this.call.repeatable(getTenantFeeStatement, request, options, readFileAs(format))
  }
}
