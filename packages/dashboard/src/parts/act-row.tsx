import { Button, Group } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { Refusal } from './refusal.tsx'

const text = words({ en: { back: 'Back' }, id: { back: 'Kembali' } })

type Given = {
  /** Called when the user returns to the previous step. It is undefined if there is no previous step. */
  back?: () => void
  /** The label of the action button, which names the action. */
  act: string
  isActing: boolean
  /**
   * Runs the action. If `onAct` is undefined, the button submits a form instead, so `ActRow` must then be
   * inside this form.
   */
  onAct?: () => void
  /** True if the action cannot be undone. In that case, the button is red. */
  isGrave?: boolean
  isDisabled?: boolean
  /** The error message to show if the action was rejected. */
  refusal?: string | undefined
}

/** The last row of a form or dialog. It contains an error message, a back button and an action button. */
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
