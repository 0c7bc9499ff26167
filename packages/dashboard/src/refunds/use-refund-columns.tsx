import { Anchor } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { useAccount } from '../session/account.ts'
import type { Column } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { TwoLines } from '../table/two-lines.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import { RefundStatusTag } from './refund-status-tag.tsx'
import { type RefundDetails, refundMethodWords, refundOriginWords } from './refund-words.ts'

const text = words({
  en: {
    reference: 'Reference, created',
    status: 'Status',
    tenant: 'Tenant',
    how: 'Type, reason',
    amount: 'Amount',
  },
  id: {
    reference: 'Referensi, dibuat',
    status: 'Status',
    tenant: 'Tenant',
    how: 'Jenis, alasan',
    amount: 'Jumlah',
  },
})

export function useRefundColumns(open: (id: string) => void): Column<RefundDetails>[] {
  const t = useWords(text)
  const methods = useWords(refundMethodWords)
  const origins = useWords(refundOriginWords)
  const format = useFormat()
  const { role } = useAccount()
  const ofTenant: Column<RefundDetails> = {
    id: 'tenant',
    header: t.tenant,
    share: 1.5,
    hidden: 'phone',
    cell: ({ tenant_id }) => <TenantName id={tenant_id} />,
  }
  return [
    {
      id: 'reference',
      header: t.reference,
      isSorted: true,
      share: 2.8,
      isWhole: true,
      cell: ({ id, reference, created_at, tenant_id }) => (
        <>
          <TwoLines
            top={
              <Anchor component="button" type="button" inherit className="mono" onClick={() => open(id)}>
                {reference}
              </Anchor>
            }
            below={<Moment at={created_at} />}
          />
          {role !== 'client' && (
            <OnPhone>
              <TenantName id={tenant_id} />
            </OnPhone>
          )}
        </>
      ),
    },
    {
      id: 'status',
      header: t.status,
      share: 1.2,
      hidden: 'phone',
      cell: refund => <RefundStatusTag refund={refund} />,
    },
    ...(role === 'client' ? [] : [ofTenant]),
    {
      id: 'how',
      header: t.how,
      share: 2,
      hidden: 'tablet',
      cell: ({ origin, method, reason }) => (
        <TwoLines
          top={origin === 'merchant' ? methods[method] : origins[origin]}
          below={reason && <span title={reason}>{reason}</span>}
        />
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      share: 1.3,
      align: 'end',
      cell: refund => (
        <>
          {format.money(refund.amount)}
          <OnPhone>
            <RefundStatusTag refund={refund} />
          </OnPhone>
        </>
      ),
    },
  ]
}
