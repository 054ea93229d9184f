"""Plyglass games in other libraries, and players and games of other libraries in Plyglass.

Each file adapts one library, which is imported together with the file:

    codec, observation    actions and views as numbers, without any library
    gymnasium, vector     environments for one learner; many matches in one compiled loop
    pettingzoo            environments for all players
    spiel_out, efg        our games in OpenSpiel
    spiel_in              games of OpenSpiel in Plyglass
    spiel_players         policies and bots of OpenSpiel as players
    learners              functions, PyTorch modules and Stable-Baselines3 models as players
"""
