import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** Shows a form error that does not belong to a single field. */
export const Refusal = ({ said }: { said: string | undefined }) =>
  said && (
    <Alert color="red" icon={<IconAlertCircle />} role="alert" my="xs">
      {said}
    </Alert>
  )
