import { ActionIcon } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Tag } from '../parts/tag.tsx'
import { useAccount } from '../session/account.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { OnPhone } from '../table/on-phone.tsx'
import { DifferenceDetails } from './difference-details.tsx'
import type { Difference } from './reconciliation.ts'
import { kindTones, kindWords } from './reconciliation-words.ts'
import { useDetail } from './use-detail.ts'

const text = words({
  en: {
    title: 'Differences',
    payment: 'Payment',
    kind: 'Type',
    detail: 'What differs',
    ours: 'Gapura',
    theirs: 'Provider',
    details: 'Details',
    detailsOf: (name: string) => `Details of ${name}`,
  },
  id: {
    title: 'Selisih',
    payment: 'Pembayaran',
    kind: 'Jenis',
    detail: 'Yang berbeda',
    ours: 'Gapura',
    theirs: 'Penyedia',
    details: 'Rincian',
    detailsOf: (name: string) => `Rincian ${name}`,
  },
})

export function Differences({ of: differences }: { of: Difference[] }) {
  const t = useWords(text)
  const [opened, setOpened] = useState<Difference>()
  return (
    <Panel title={t.title} isFlush>
      <DataTable
        label={t.title}
        columns={useColumns(setOpened)}
        rows={differences}
        rowKey={keyOf}
        onOpen={setOpened}
        empty={null}
      />
      {opened && <DifferenceDetails of={opened} close={() => setOpened(undefined)} />}
    </Panel>
  )
}

/**
 * Returns a key for a difference. The key is unique, because a payment has at most one difference of each kind
 * between the same two sources.
 */
const keyOf = (one: Difference): string =>
  [one.provider_account_id, one.reference, one.kind, one.between, one.detail].join(' ')

function useColumns(open: (difference: Difference) => void): Column<Difference>[] {
  const t = useWords(text)
  const kinds = useWords(kindWords)
  const inWords = useDetail()
  const format = useFormat()
  const { role } = useAccount()
  const sum = (cents: number | null) => (cents === null ? '–' : format.money(cents))
  return [
    {
      id: 'payment',
      header: t.payment,
      share: 1.7,
      cell: one => {
        const name = one.payment_code ?? one.reference
        const shown =
          one.payment_id && role === 'client' ? (
            <TextLink to="/payments/$paymentId" params={{ paymentId: one.payment_id }} className="mono">
              {name}
            </TextLink>
          ) : (
            <span className="mono">{name}</span>
          )
        return (
          <>
            {shown}
            <OnPhone>
              <Tag tone={kindTones[one.kind]}>{kinds[one.kind]}</Tag>
            </OnPhone>
          </>
        )
      },
    },
    {
      id: 'kind',
      header: t.kind,
      share: 1.4,
      hidden: 'phone',
      cell: ({ kind }) => <Tag tone={kindTones[kind]}>{kinds[kind]}</Tag>,
    },
    {
      id: 'detail',
      header: t.detail,
      share: 3,
      hidden: 'tablet',
      cell: ({ detail }) => inWords(detail),
    },
    {
      id: 'ours',
      header: t.ours,
      share: 1.1,
      align: 'end',
      hidden: 'phone',
      cell: one => sum(one.our_amount),
    },
    {
      id: 'theirs',
      header: t.theirs,
      share: 1.1,
      align: 'end',
      hidden: 'phone',
      cell: one => sum(one.their_amount),
    },
    {
      id: 'open',
      header: t.details,
      share: 0.5,
      align: 'end',
      isHeaderHidden: true,
      cell: one => (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t.detailsOf(one.payment_code ?? one.reference)}
          onClick={() => open(one)}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      ),
    },
  ]
}
