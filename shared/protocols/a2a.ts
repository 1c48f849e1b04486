import * as z from 'zod'

/** A2A, AgentSkill: its required members. */
const AgentSkill = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
})

/** A2A 1.0, AgentInterface. */
const AgentInterface = z.looseObject({ url: z.url(), protocolBinding: z.string() })

/**
 * The members that an A2A agent card must have (A2A 1.0, AgentCard). Versions before 1.0 have one
 * `url` in place of `supportedInterfaces`. Unspecified: UCP does not name a version of A2A, so a
 * card may have the form of either; the member protocolVersion is not asked for, because 0.3
 * requires it and 1.0 and 0.2 do not have it.
 */
export const AgentCard = z
  .looseObject({
    name: z.string(),
    description: z.string(),
    version: z.string(),
    url: z.url().optional(),
    supportedInterfaces: z.array(AgentInterface).min(1).optional(),
    capabilities: z.looseObject({}),
    defaultInputModes: z.array(z.string()),
    defaultOutputModes: z.array(z.string()),
    skills: z.array(AgentSkill),
  })
  .refine(
    ({ url, supportedInterfaces }) => url !== undefined || supportedInterfaces !== undefined,
    {
      path: ['supportedInterfaces'],
      error: 'missing: it says where the agent is',
    },
  )
