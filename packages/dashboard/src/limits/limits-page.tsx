import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { tierWords } from '../tenants/tenant-words.ts'
import { LimitsForm } from './limits-form.tsx'

const text = words({
  en: {
    title: 'Request limits',
    about:
      'The request limits for the tenants in each tier. Each process of the service counts separately. To set other limits for one tenant, open that tenant’s page.',
    inherits: (limit: string) => `Leave this field empty to use the default limit, ${limit}.`,
  },
  id: {
    title: 'Batas permintaan',
    about:
      'Batas permintaan untuk tenant di setiap paket. Setiap proses layanan menghitung secara terpisah. Untuk mengatur batas lain bagi satu tenant, buka halaman tenant itu.',
    inherits: (limit: string) => `Kosongkan untuk memakai batas bawaan, ${limit}.`,
  },
})

export function LimitsPage() {
  const t = useWords(text)
  const tiers = useWords(tierWords)
  const { data, error, refetch } = useQuery(trpc.limits.ofTiers.queryOptions({}))
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Pending />
  return (
    <Page title={t.title} description={t.about}>
      <Stack>
        {data.items.map(limits => {
          const { tier } = limits
          return (
            <Panel key={tier} title={tiers[tier]}>
              <LimitsForm
                limits={limits}
                of="tier"
                inherits={t.inherits}
                save={own => client.limits.updateTier.mutate({ tier, ...own })}
                reset={() => client.limits.resetTier.mutate({ tier })}
              />
            </Panel>
          )
        })}
      </Stack>
    </Page>
  )
}
