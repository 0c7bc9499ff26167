import { Button, Group } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Refusal } from './refusal.tsx'

const text = words({ en: { back: 'Back' }, id: { back: 'Kembali' } })

type Given = {
  /** Undefined where there is nothing to go back to. */
  back?: () => void
  /** The button's word: what is done. */
  act: string
  isActing: boolean
  /** Undefined: the row ends a form, and the button submits it. */
  onAct?: () => void
  /** What can not be undone. */
  isGrave?: boolean
  isDisabled?: boolean
  /** Why it was refused. */
  refusal?: string | undefined
}

/** The end of a form or of a question: why it was refused, the way back, and what is done. */
export function ActRow({ back, act, isActing, onAct, isGrave = false, isDisabled = false, refusal }: Given) {
  const t = useWords(text)
  return (
    <>
      <Refusal said={refusal} />
      <Group justify="flex-end">
        {back && (
          <Button variant="default" onClick={back}>
            {t.back}
          </Button>
        )}
        <Button
          type={onAct ? 'button' : 'submit'}
          color={isGrave ? 'red.8' : 'gapura'}
          loading={isActing}
          disabled={isDisabled}
          onClick={onAct}
        >
          {act}
        </Button>
      </Group>
    </>
  )
}
