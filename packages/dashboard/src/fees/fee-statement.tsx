import { Button, Group, Select, Skeleton, Stack } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { dayIn } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { ExportButtons } from '../parts/export-buttons.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { TenantSelect } from '../tenants/tenant-select.tsx'
import { statementFile } from './file-names.ts'
import { isMonth, monthsUntil, useMonthName } from './months.ts'
import { StatementSheet } from './statement-sheet.tsx'

const text = words({
  en: {
    month: 'Month',
    tenant: { owner: 'Tenant', partner: 'Client', client: '' },
    print: 'Print',
    own: 'Your own statement',
    choose: 'Choose a tenant',
    how: 'The fee statement lists one tenant’s fees for one month.',
  },
  id: {
    month: 'Bulan',
    tenant: { owner: 'Tenant', partner: 'Klien', client: '' },
    print: 'Cetak',
    own: 'Laporan Anda sendiri',
    choose: 'Pilih tenant',
    how: 'Laporan biaya ini memuat biaya satu tenant dalam satu bulan.',
  },
})

/**
 * Shows a tenant's monthly fee statement. A Client (merchant) sees only its own statement. A Partner (reseller) sees its
 * own statement until it chooses a Client.
 */
export function FeeStatement() {
  const t = useWords(text)
  const monthName = useMonthName()
  const { role } = useAccount()
  const search = useSearch({ from: '/inside/fees' })
  const navigate = useNavigate({ from: '/fees' })
  const [mode] = useMode()
  const months = monthsUntil(dayIn(new Date()))
  const month = isMonth(search.month) ? search.month : (months[0] as string)
  const tenantId = role === 'client' ? undefined : search.tenant_id
  const set = (changed: { month?: string | undefined; tenant_id?: string | undefined }) =>
    void navigate({ search: before => ({ ...before, ...changed }), replace: true })
  const isOwn = tenantId === undefined && role !== 'owner'
  const own = useQuery(trpc.feeReports.ownStatement.queryOptions({ month, mode }, { enabled: isOwn }))
  const ofTenant = useQuery(
    trpc.feeReports.statementOfTenant.queryOptions(
      { tenant_id: tenantId ?? '', month, mode },
      { enabled: tenantId !== undefined },
    ),
  )
  const { data, error, refetch } = isOwn ? own : ofTenant
  const path = tenantId === undefined ? '/v1/account' : `/v1/tenants/${tenantId}`
  return (
    <Stack>
      <Group gap="sm" align="flex-end" role="search">
        {role !== 'client' && (
          <TenantSelect
            label={t.tenant[role]}
            placeholder={isOwn ? t.own : undefined}
            value={tenantId ?? null}
            onChange={chosen => set({ tenant_id: chosen ?? undefined })}
            w={260}
          />
        )}
        <Select
          label={t.month}
          allowDeselect={false}
          value={month}
          onChange={chosen => set({ month: chosen ?? undefined })}
          data={(months.includes(month) ? months : [month, ...months]).map(value => ({
            value,
            label: monthName(value),
          }))}
          w={190}
        />
        {data && (
          <>
            <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
              {t.print}
            </Button>
            <ExportButtons
              path={`${path}/fee-statement?${new URLSearchParams({ month, mode })}`}
              name={statementFile(data)}
            />
          </>
        )}
      </Group>
      {tenantId === undefined && !isOwn ? (
        <Panel>
          <Empty title={t.choose}>{t.how}</Empty>
        </Panel>
      ) : data ? (
        <StatementSheet statement={data} />
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={320} radius="md" />
      )}
    </Stack>
  )
}
