import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/**
 * Some columns are hidden on a phone. This component, which is visible only there, shows the value of a
 * hidden column below the value of another column.
 */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
