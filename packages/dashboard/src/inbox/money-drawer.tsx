import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { Failure, Pending } from '../parts/states.tsx'
import { useIsPermitted } from '../session/account.ts'
import { verbWords } from './decision-words.ts'
import { type Verb, verbsFor } from './decisions.ts'
import { kindMeanings, kindWords, type Money } from './inbox-words.ts'
import { MoneyFacts } from './money-facts.tsx'

const DecisionForm = lazy(() =>
  import('./decision-form.tsx').then(({ DecisionForm }) => ({ default: DecisionForm })),
)

const text = words({
  en: { title: 'Unexpected money' },
  id: { title: 'Dana tak terduga' },
})

export function MoneyDrawer({ id, close }: { id: string | undefined; close: () => void }) {
  const t = useWords(text)
  return (
    <Sheet isOpen={id !== undefined} close={close} title={t.title}>
      {id && <Content key={id} id={id} />}
    </Sheet>
  )
}

function Content({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(trpc.unexpectedMoney.get.queryOptions({ id }))
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />
  return data ? <Record money={data} /> : <Pending />
}

function Record({ money }: { money: Money }) {
  const kinds = useWords(kindWords)
  const meanings = useWords(kindMeanings)
  const names = useWords(verbWords)
  const [verb, setVerb] = useState<Verb>()
  const mayDecide = useIsPermitted('finance')
  const verbs = mayDecide ? verbsFor(money) : []
  return (
    <Stack>
      <div>
        <Text fw={600}>{kinds[money.kind]}</Text>
        <Text size="sm" c="dimmed">
          {meanings[money.kind]}
        </Text>
      </div>
      <MoneyFacts money={money} />
      {/* Another user may already have decided on this money. In this case, the form is hidden. */}
      {verb && verbs.includes(verb) ? (
        <Suspense fallback={<Pending />}>
          <DecisionForm key={verb} verb={verb} money={money} back={() => setVerb(undefined)} />
        </Suspense>
      ) : (
        <Group>
          {verbs.map(each => (
            <Button
              key={each}
              variant={each === 'refund' || each === 'dismiss' ? 'default' : 'filled'}
              onClick={() => setVerb(each)}
            >
              {names[each]}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  )
}
