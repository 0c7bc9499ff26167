import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure, Pending } from '../parts/states.tsx'
import { useAccount, useIsPermitted } from '../session/account.ts'
import type { Tenant } from '../tenants/tenant-words.ts'
import { FeePreview } from './fee-preview.tsx'
import { FeeVersions } from './fee-versions.tsx'

const FeeForm = lazy(() => import('./fee-form.tsx'))

const text = words({
  en: {
    none: 'No fees',
    how: {
      owner:
        'Set fees to charge this tenant for its payments. Without fees, the tenant sees nothing about fees.',
      ofPartner:
        'This client has no fees of its own. If its partner has fees, they apply to this client as well.',
      partner:
        'Set fees to charge this client for its payments. The fees cannot be below what the operator charges you.',
    },
    set: 'Set fees',
    change: 'Change fees',
  },
  id: {
    none: 'Tidak ada biaya',
    how: {
      owner:
        'Tetapkan biaya untuk pembayaran tenant ini. Tanpa biaya, tenant tidak melihat apa pun tentang biaya.',
      ofPartner:
        'Klien ini tidak memiliki biaya sendiri. Jika mitranya dikenai biaya, biaya itu juga berlaku untuk klien ini.',
      partner:
        'Tetapkan biaya untuk pembayaran klien ini. Biaya tidak boleh lebih rendah dari yang dikenakan operator kepada Anda.',
    },
    set: 'Tetapkan biaya',
    change: 'Ubah biaya',
  },
})

/**
 * Shows the fees that the Owner (the service's operator) or a Partner (a reseller) charges a tenant. The page contains
 * all versions of the fee schedule, a form for a new version, and a preview.
 */
export function TenantFees({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const { role } = useAccount()
  const maySet = useIsPermitted('admin')
  const [isEditing, setEditing] = useState(false)
  const history = useQuery(trpc.fees.history.queryOptions({ tenant_id: tenant.id }))
  if (history.error && !history.data)
    return <Failure error={history.error} retry={() => void history.refetch()} />
  if (!history.data) return <Pending />
  const versions = history.data
  const current = versions.find(({ state }) => state === 'in_force')
  const how = role === 'partner' ? t.how.partner : tenant.parent_id ? t.how.ofPartner : t.how.owner
  const button = maySet && !isEditing && (
    <Button {...(versions.length > 0 && { size: 'xs', variant: 'default' })} onClick={() => setEditing(true)}>
      {versions.length > 0 ? t.change : t.set}
    </Button>
  )
  return (
    <Stack>
      {isEditing && (
        <Suspense fallback={<Pending />}>
          <FeeForm
            tenantId={tenant.id}
            rules={current?.rules ?? []}
            refundsFees={current?.refund_fees ?? false}
            close={() => setEditing(false)}
          />
        </Suspense>
      )}
      {versions.length > 0 && <FeeVersions versions={versions} action={button} />}
      {versions.length === 0 && !isEditing && (
        <Panel>
          <Empty title={t.none}>
            <Stack align="center" gap="sm">
              {how}
              {button}
            </Stack>
          </Empty>
        </Panel>
      )}
      {versions.length > 0 && tenant.role === 'client' && <FeePreview tenantId={tenant.id} />}
    </Stack>
  )
}
