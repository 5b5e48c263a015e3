-- Takes every charge, or none. KEYS: one hash a charge, from the number of a slice to its count; all have one hash tag.
-- ARGV: the number of slices, then for each charge its cost, the most, and the width of a slice in microseconds.
-- Answers with the server's time, which charge waits longest (0: taken), its microseconds, and what each has left.
local slices = tonumber(ARGV[1])
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local longest, refused = 0, 0
local left, present, fresh, old = {}, {}, {}, {}

for i, key in ipairs(KEYS) do
    local cost, most, width = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
    local flat = redis.call('HGETALL', key)
    local used, counts = 0, {}
    present[i] = math.floor(now / width)
    old[i] = {}
    for j = 1, #flat, 2 do
        local number, count = tonumber(flat[j]), tonumber(flat[j + 1])
        if number < present[i] - slices then
            table.insert(old[i], flat[j])
        else
            used = used + count
            counts[number] = count
        end
    end
    fresh[i] = counts[present[i]] == nil
    left[i] = most - used
    if cost > left[i] then
        local over, waits = cost - left[i], (slices + 1) * width
        for number = present[i] - slices, present[i] do
            over = over - (counts[number] or 0)
            if over <= 0 then
                waits = (number + slices + 1) * width - now
                break
            end
        end
        if waits > longest then
            longest, refused = waits, i
        end
    end
end

local answer = {string.format('%.0f', now), refused, string.format('%.0f', longest)}
for i, key in ipairs(KEYS) do
    local cost, width = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i + 1])
    if refused == 0 then
        redis.call('HINCRBY', key, string.format('%.0f', present[i]), cost)
        left[i] = left[i] - cost
        if fresh[i] then
            redis.call('PEXPIRE', key, math.ceil((slices + 2) * width / 1000))
        end
    end
    if #old[i] > 0 then
        redis.call('HDEL', key, unpack(old[i]))
    end
    table.insert(answer, math.max(0, left[i]))
end
return answer
