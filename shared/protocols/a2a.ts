import * as z from 'zod'

/** A2A, AgentSkill: what is required of it. */
const AgentSkill = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
})

/** A2A 1.0, AgentInterface. */
const AgentInterface = z.looseObject({ url: z.url(), protocolBinding: z.string() })

/**
 * The members that an A2A agent card has to have (A2A 1.0, AgentCard). Versions before 1.0 have one
 * `url` in the place of `supportedInterfaces`.
 */
// Unspecified: UCP names no version of A2A, so that a card is right in the form of either; the
// member protocolVersion, which 0.3 requires and 1.0 and 0.2 do not have there, is asked of none.
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
