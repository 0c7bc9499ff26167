import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** On a phone, shows the content of a hidden column below the value of another column. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.onPhone}>{children}</div>
)
