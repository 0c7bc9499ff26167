import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { useIsPermitted } from '../session/account.ts'
import { BrandPreview } from './brand-preview.tsx'
import { draftOf } from './branding-draft.ts'
import { BrandingForm } from './branding-form.tsx'

const text = words({ en: { title: 'Branding' }, id: { title: 'Tampilan merek' } })

/** The name, color and logo shown to payers. Only an admin can change them. */
export function Branding() {
  const t = useWords(text)
  const isAdmin = useIsPermitted('admin')
  const { data, error, refetch } = useQuery(trpc.branding.get.queryOptions({}))
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  if (!data) return <Pending />
  return (
    <Panel title={t.title}>
      {isAdmin ? <BrandingForm branding={data} /> : <BrandPreview draft={draftOf(data)} />}
    </Panel>
  )
}
