import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'

const text = words({
  en: {
    name: { owner: 'Tenant', partner: 'Client', client: '' },
    none: { owner: 'No tenant has fees', partner: 'No client has fees', client: '' },
    count: {
      owner: (count: number, written: string) =>
        count === 1 ? '1 tenant with fees' : `${written} tenants with fees`,
      partner: (count: number, written: string) =>
        count === 1 ? '1 client with fees' : `${written} clients with fees`,
      client: () => '',
    },
    how: {
      owner: 'To set fees, open a tenant’s page and choose the Fees section.',
      partner: 'To set fees, open a client’s page and choose the Fees section.',
      client: '',
    },
    open: { owner: 'Choose a tenant', partner: 'Choose a client', client: '' },
  },
  id: {
    name: { owner: 'Tenant', partner: 'Klien', client: '' },
    none: { owner: 'Belum ada tenant dengan biaya', partner: 'Belum ada klien dengan biaya', client: '' },
    count: {
      owner: (_: number, written: string) => `${written} tenant dengan biaya`,
      partner: (_: number, written: string) => `${written} klien dengan biaya`,
      client: () => '',
    },
    how: {
      owner: 'Untuk menetapkan biaya, buka halaman tenant lalu pilih bagian Biaya.',
      partner: 'Untuk menetapkan biaya, buka halaman klien lalu pilih bagian Biaya.',
      client: '',
    },
    open: { owner: 'Pilih tenant', partner: 'Pilih klien', client: '' },
  },
})

/** Lists the tenants for which the Owner (the service's operator) or the Partner (a reseller) has set fees. */
export function PricedTenants() {
  const t = useWords(text)
  const { role } = useAccount()
  const navigate = useNavigate()
  const list = useEndless(
    useInfiniteQuery(trpc.fees.pricedTenants.infiniteQueryOptions({ limit: PAGE_SIZE }, nextPage)),
  )
  const search = { tab: 'fees' }
  return (
    <Stack>
      <ListCount total={loaded(list)} inWords={t.count[role]} />
      <Panel isFlush>
        <DataTable
          label={t.name[role]}
          {...list}
          rowKey={({ tenant_id }) => tenant_id}
          onOpen={({ tenant_id }) =>
            void navigate({ to: '/tenants/$tenantId', params: { tenantId: tenant_id }, search })
          }
          empty={
            <Empty title={t.none[role]}>
              {t.how[role]}
              <ButtonLink to="/tenants" variant="default" mt="xs">
                {t.open[role]}
              </ButtonLink>
            </Empty>
          }
          columns={[
            {
              id: 'name',
              header: t.name[role],
              cell: ({ tenant_id, tenant_name }) => (
                <TextLink to="/tenants/$tenantId" params={{ tenantId: tenant_id }} search={search} size="sm">
                  {tenant_name}
                </TextLink>
              ),
            },
          ]}
        />
      </Panel>
    </Stack>
  )
}
