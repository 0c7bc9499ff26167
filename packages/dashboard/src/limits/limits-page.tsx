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
    title: 'Limits',
    about:
      'How much the tenants of each tier may ask of one process of the service. A tenant can have limits of its own: on its page.',
    inherits: (limit: string) => `Leave it empty for ${limit}, the default.`,
  },
  id: {
    title: 'Batas',
    about:
      'Seberapa banyak permintaan yang boleh dikirim tenant di tiap tingkat ke satu proses layanan. Tenant dapat memiliki batas sendiri, di halamannya.',
    inherits: (limit: string) => `Kosongkan untuk memakai ${limit}, nilai bawaan.`,
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
